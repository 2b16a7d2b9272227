//! What every command prints alike: answers to standard output, errors to standard error.

use std::io::Write as _;
use std::process::ExitCode;

use rift_protocol::ErrorCode;

/// Writes to standard output. A reader that went away (`| head`) is no error.
pub(crate) fn write_out(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let written =
        out.write_all(text.as_bytes()).and_then(|()| if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") });
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Says that a command failed; the exit status of failures.
pub(crate) fn error(code: ErrorCode, message: &str) -> ExitCode {
    eprintln!("rift: error[{}]: {message}", code.word());
    ExitCode::from(2)
}
