//! A client that reads and writes the protocol's frames itself, so that a test sees every byte the server says.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Project;
use crate::binary::command;

/// How long a test waits for one frame before it fails. No answer takes near as long.
const PATIENCE: Duration = Duration::from_secs(240);

/// How a server is started.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// `--output`; the server's default when none.
    pub output: Option<&'a str>,
    /// `RUST_LOG`.
    pub log: Option<&'a str>,
    /// `--root`; the project's root when none.
    pub root: Option<&'a str>,
}

/// `rift mcp` over stdio.
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    frames: Receiver<String>,
    stderr: Option<JoinHandle<String>>,
    next_id: u64,
    /// Notifications and answers to requests that nobody waits for.
    aside: Vec<Value>,
}

/// A tool's result.
#[derive(Debug, Clone)]
pub struct Answer(pub Value);

impl Answer {
    /// The text of the one content block.
    pub fn text(&self) -> &str {
        let content = self.0["content"].as_array().expect("a result has content");
        assert_eq!(content.len(), 1, "one content block: {content:?}");
        assert_eq!(content[0]["type"], "text");
        content[0]["text"].as_str().expect("a text block has text")
    }

    /// Whether the result is a failure.
    pub fn is_error(&self) -> bool {
        self.0["isError"].as_bool().unwrap_or(false)
    }

    /// The structured answer.
    pub fn structured(&self) -> &Value {
        let structured = &self.0["structuredContent"];
        assert!(structured.is_object(), "no structured content: {}", self.0);
        structured
    }

    /// The codes of the warnings, in order.
    pub fn warnings(&self) -> Vec<&str> {
        warning_codes(self.structured())
    }
}

fn warning_codes(answer: &Value) -> Vec<&str> {
    let warnings = answer["warnings"].as_array().map(Vec::as_slice).unwrap_or_default();
    warnings.iter().map(|warning| warning["code"].as_str().expect("a warning has a code")).collect()
}

impl Client {
    /// Starts a server on `project` that answers with text and structured content, and initializes it.
    pub fn start(project: &Project) -> Self {
        Self::start_with(project, Options { output: Some("all"), ..Options::default() })
    }

    /// Starts a server and initializes it.
    pub fn start_with(project: &Project, options: Options<'_>) -> Self {
        let mut client = Self::spawn(project, options);
        let answer = client.request(
            "initialize",
            json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": { "name": "rift-tests", "version": "0" },
            }),
        );
        assert_eq!(answer["serverInfo"]["name"], "rift", "{answer}");
        client.notify("notifications/initialized", json!({}));
        client
    }

    /// Starts a server and says nothing to it.
    pub fn spawn(project: &Project, options: Options<'_>) -> Self {
        let mut server = command(project);
        server.arg("mcp").arg("--root");
        match options.root {
            Some(root) => server.arg(root),
            None => server.arg(project.root()),
        };
        if let Some(output) = options.output {
            server.args(["--output", output]);
        }
        if let Some(log) = options.log {
            server.env("RUST_LOG", log);
        }
        Self::run(server)
    }

    /// Starts a command that speaks the protocol, and says nothing to it.
    pub fn run(mut server: Command) -> Self {
        let pipes = server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().expect("rift starts");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe from stdout"));
        let mut errors = child.stderr.take().expect("a pipe from stderr");
        let (sender, frames) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let line = line.unwrap_or_else(|error| format!("stdout is not UTF-8: {error}"));
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let stderr = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = errors.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        });
        Self { child, stdin, frames, stderr: Some(stderr), next_id: 0, aside: Vec::new() }
    }

    /// The proxy's process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Writes one line as it is.
    pub fn send_line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).expect("the server reads its stdin");
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send_line(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    /// Sends a request and returns its id, without waiting for the answer.
    pub fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send_line(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        id
    }

    /// The next frame, checked to be one; none when the server closed its stdout.
    pub fn frame(&mut self) -> Option<Value> {
        match self.frames.recv_timeout(PATIENCE) {
            Ok(line) => Some(checked(&line)),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no frame within {PATIENCE:?}"),
        }
    }

    /// The response of request `id`, with `result` or `error`.
    pub fn response(&mut self, id: u64) -> Value {
        if let Some(at) = self.aside.iter().position(|frame| frame["id"] == id) {
            return self.aside.remove(at);
        }
        loop {
            let Some(frame) = self.frame() else { panic!("the server closed before it answered request {id}") };
            if frame["id"] == id && frame.get("method").is_none() {
                return frame;
            }
            self.aside.push(frame);
        }
    }

    /// The result of a request that must succeed.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let response = self.response(id);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].clone()
    }

    /// The error object of a request that must fail by the protocol.
    pub fn refused(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let response = self.response(id);
        assert!(response["error"].is_object(), "{method} was not refused: {response}");
        response["error"].clone()
    }

    /// Calls a tool.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        Answer(self.request("tools/call", json!({ "name": tool, "arguments": arguments })))
    }

    /// The contents of a resource.
    pub fn read(&mut self, uri: &str) -> Vec<Value> {
        let result = self.request("resources/read", json!({ "uri": uri }));
        result["contents"].as_array().expect("a resource has contents").clone()
    }

    /// The JSON content of a resource.
    pub fn read_json(&mut self, uri: &str) -> Value {
        let contents = self.read(uri);
        let content = contents.iter().find(|content| content["mimeType"] == "application/json");
        let text = content.and_then(|content| content["text"].as_str()).expect("the resource has a JSON content");
        serde_json::from_str(text).expect("the JSON content is JSON")
    }

    /// Asks until the index is prepared, as a caller that reads the warnings would.
    pub fn prepared(&mut self) -> &mut Self {
        let start = Instant::now();
        while warning_codes(&self.read_json("rift://map")).contains(&"local_index_preparing") {
            assert!(start.elapsed() < PATIENCE, "the index is not prepared within {PATIENCE:?}");
            std::thread::yield_now();
        }
        self
    }

    /// Frames that came without being waited for: notifications, and answers to abandoned requests.
    pub fn unclaimed(&self) -> &[Value] {
        &self.aside
    }

    /// Closes stdin, checks what is left on stdout and that the server ends well; returns stderr.
    pub fn close(mut self) -> String {
        self.stdin = None;
        while let Some(frame) = self.frame() {
            self.aside.push(frame);
        }
        let status = self.child.wait().expect("the server ends");
        let stderr = self.stderr.take().map(|thread| thread.join().unwrap_or_default()).unwrap_or_default();
        assert!(status.success(), "the server ended with {status}: {stderr}");
        stderr
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One line of stdout, checked to be one JSON-RPC message of the protocol and nothing else.
fn checked(line: &str) -> Value {
    let frame: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("not a frame ({error}): {line}"));
    assert_eq!(frame["jsonrpc"], "2.0", "not a frame: {line}");
    let is_call = frame["method"].is_string();
    // What answers a frame that cannot be read has no id to name (JSONRPCErrorResponse of the protocol's schema).
    let named = frame.get("id").is_some() || frame["error"].is_object();
    let is_response = named && (frame.get("result").is_some() != frame.get("error").is_some());
    assert!(is_call != is_response, "neither a call nor a response: {line}");
    frame
}
