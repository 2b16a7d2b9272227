//! A server in the foreground that asks for no token, for clients that know a URL and nothing else.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Stdio};
use std::thread::JoinHandle;

use serde_json::Value;

use crate::Project;
use crate::binary::command;

/// `rift server start --foreground --auth skip`; it ends with its value.
pub struct Foreground {
    child: Child,
    stderr: Option<JoinHandle<String>>,
    port: u64,
}

impl Foreground {
    /// Starts the server of `project` and waits until it serves.
    pub fn start(project: &Project) -> Self {
        let mut server = command(project);
        server.args(["server", "start", "--foreground", "--auth", "skip", "--json", "--root"]).arg(project.root());
        let pipes = server.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().expect("rift starts");
        let mut errors = child.stderr.take().expect("a pipe from stderr");
        let stderr = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = errors.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe from stdout"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("UTF-8");
        let mut this = Self { child, stderr: Some(stderr), port: 0 };
        match serde_json::from_str::<Value>(&line).ok().and_then(|said| said["port"].as_u64()) {
            Some(port) => this.port = port,
            None => panic!("the server did not start: {line:?}, {}", this.end()),
        }
        this
    }

    /// Where it serves MCP.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/api/mcp", self.port)
    }

    fn end(&mut self) -> String {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.stderr.take().map(|reader| reader.join().unwrap_or_default()).unwrap_or_default()
    }
}

impl Drop for Foreground {
    fn drop(&mut self) {
        self.end();
    }
}
