//! Requests that end in every way but well, each for itself alone.

use std::sync::atomic::{AtomicUsize, Ordering};

use rift_host::HostError;
use rmcp::ServiceExt as _;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

use super::*;

/// Works that a test can ask for by name.
#[derive(Clone)]
struct Odd {
    service: Service,
    started: Arc<AtomicUsize>,
}

impl ServerHandler for Odd {
    fn get_info(&self) -> ServerConfig {
        listing::info()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, McpError> {
        let started = self.started.clone();
        let name = request.name.to_string();
        let ended = self.service.run(&context, move |_, deadline| {
            started.fetch_add(1, Ordering::SeqCst);
            match name.as_str() {
                "panic" => panic!("on purpose"),
                "endless" => {
                    while deadline.check().is_ok() {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    "stopped"
                }
                // Deaf to its deadline, but not for ever, so that the test ends.
                "deaf" => {
                    std::thread::sleep(Duration::from_secs(3));
                    "late"
                }
                _ => "done",
            }
        });
        let text = ended.await.unwrap_or_else(|failure| failure.code().word());
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}

struct Talk {
    from: Lines<BufReader<ReadHalf<DuplexStream>>>,
    to: WriteHalf<DuplexStream>,
    shared: Arc<Shared>,
    started: Arc<AtomicUsize>,
}

impl Talk {
    async fn with(workers: u64, queue: Duration, budget: Duration) -> Self {
        let shared = Arc::new(Shared {
            workspace: Workspace::opened(Err(HostError::Internal)),
            slots: Slots::new(workers, queue),
            activity: Activity::new(),
            tools: Vec::new(),
            budget,
            hurry: CancellationToken::new(),
        });
        let started = Arc::new(AtomicUsize::new(0));
        let odd = Odd { service: Service(shared.clone()), started: started.clone() };
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        tokio::spawn(async move {
            if let Ok(running) = odd.serve(theirs).await {
                let _ = running.waiting().await;
            }
        });
        let (from, to) = tokio::io::split(ours);
        let mut talk = Self { from: BufReader::new(from).lines(), to, shared, started };
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "0" } });
        talk.send(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello })).await;
        talk.response(0).await;
        talk.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        talk
    }

    async fn send(&mut self, message: &Value) {
        self.to.write_all(format!("{message}\n").as_bytes()).await.expect("written");
    }

    async fn call(&mut self, id: u64, work: &str) {
        let params = json!({ "name": work });
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })).await;
    }

    /// What call `id` came to.
    async fn response(&mut self, id: u64) -> String {
        loop {
            let line = self.from.next_line().await.expect("readable").expect("open");
            let message: Value = serde_json::from_str(&line).expect("JSON");
            if message["id"] == id {
                return message["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned();
            }
        }
    }

    async fn until_started(&self, count: usize) {
        while self.started.load(Ordering::SeqCst) < count {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

const LONG: Duration = Duration::from_secs(600);

#[tokio::test]
async fn a_panic_answers_for_itself() {
    let mut talk = Talk::with(1, LONG, LONG).await;
    talk.call(1, "panic").await;
    assert_eq!(talk.response(1).await, "internal_error");
    talk.call(2, "work").await;
    assert_eq!(talk.response(2).await, "done", "the slot is free again");
}

#[tokio::test]
async fn a_cancelled_request_frees_its_slot() {
    let mut talk = Talk::with(1, LONG, LONG).await;
    talk.call(1, "endless").await;
    talk.until_started(1).await;
    // One that waits in the line is taken back there.
    talk.call(2, "work").await;
    talk.call(3, "work").await;
    for id in [2, 1] {
        let cancelled = json!({ "requestId": id });
        talk.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled })).await;
    }
    assert_eq!(talk.response(3).await, "done");
    assert_eq!(talk.started.load(Ordering::SeqCst), 2, "what was taken back in the line never started");
}

#[tokio::test]
async fn a_client_that_goes_takes_its_requests_back() {
    let mut talk = Talk::with(1, LONG, LONG).await;
    talk.call(1, "endless").await;
    talk.until_started(1).await;
    let slots = talk.shared.slots.clone();
    drop(talk);
    assert!(slots.enter().await.is_ok(), "the slot is free again");
}

#[tokio::test]
async fn time_and_the_line_are_bounded() {
    let mut talk = Talk::with(1, Duration::from_millis(50), Duration::from_millis(400)).await;
    talk.call(1, "endless").await;
    talk.until_started(1).await;
    talk.call(2, "work").await;
    assert_eq!(talk.response(2).await, "temporarily_unavailable", "the line is bounded");
    assert_eq!(talk.response(1).await, "stopped", "its deadline has passed");
    talk.call(3, "deaf").await;
    assert_eq!(talk.response(3).await, "deadline_exceeded", "nobody waits for what does not listen");
    talk.call(4, "work").await;
    assert_eq!(talk.response(4).await, "temporarily_unavailable", "its slot is taken until it ends");
}

#[tokio::test]
async fn a_stopping_server_cuts_short() {
    let mut talk = Talk::with(1, LONG, LONG).await;
    talk.call(1, "endless").await;
    talk.until_started(1).await;
    talk.call(2, "work").await;
    talk.shared.hurry.cancel();
    let (mut ended, mut refused) = (String::new(), String::new());
    // The two may be answered in either order.
    for _ in 0..2 {
        let line = talk.from.next_line().await.expect("readable").expect("open");
        let message: Value = serde_json::from_str(&line).expect("JSON");
        let text = message["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        if message["id"] == 1 { ended = text } else { refused = text }
    }
    assert_eq!((ended.as_str(), refused.as_str()), ("stopped", "temporarily_unavailable"));
}
