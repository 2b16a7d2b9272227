//! The binary: commands, nothing else.

mod commands;
mod config;
mod debug;
mod doctor;
mod output;
mod progress;
mod server;
mod server_logs;
mod shell;

use std::process::ExitCode;

use clap::Parser as _;

/// Parsing allocates and frees small nodes by the million, on several threads.
#[cfg(all(unix, not(target_env = "musl")))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let arguments = commands::Arguments::parse();
    match commands::run(arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("rift: error[internal_error]: {error:#}");
            ExitCode::from(2)
        }
    }
}
