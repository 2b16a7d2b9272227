//! HTTP as bytes, so that a test says exactly what it sends.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// How long a test waits for one answer before it fails.
const PATIENCE: Duration = Duration::from_secs(240);

/// An answer.
#[derive(Debug)]
pub struct Reply {
    /// The status code; 0 when the connection was closed without an answer.
    pub status: u16,
    /// What follows the head.
    pub body: String,
}

impl Reply {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("not JSON ({error}): {self:?}"))
    }

    /// Reads an answer until the connection is closed, which the request asked for.
    pub fn read(stream: &mut TcpStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        let mut bytes = Vec::new();
        // A server that refuses a request early may close before it has read everything.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Self { status, body: body.to_owned() }
    }
}

/// Sends bytes to a port of this machine and reads the answer.
pub fn exchange(port: u16, bytes: &[u8]) -> Reply {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the port is open");
    stream.set_write_timeout(Some(PATIENCE)).expect("a timeout");
    let _ = stream.write_all(bytes);
    Reply::read(&mut stream)
}

/// A request as bytes; the connection closes behind its answer.
pub fn request(line: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut text = format!("{line} HTTP/1.1\r\nConnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() && !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-length")) {
        text.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    text.push_str("\r\n");
    text.push_str(body);
    text.into_bytes()
}

/// A JSON-RPC message as a client of this server sends it.
pub fn json_post(server: &Value, message: &Value) -> Vec<u8> {
    let host = format!("127.0.0.1:{}", server["port"]);
    let token = format!("Bearer {}", server["token"].as_str().unwrap_or_default());
    let headers = [
        ("Host", host.as_str()),
        ("Authorization", &token),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2025-11-25"),
    ];
    request("POST /api/mcp", &headers, &message.to_string())
}
