//! The slots that requests work in: so many at once, the others wait in line for a bounded time.

use std::sync::Arc;
use std::time::Duration;

use rift_protocol::Failure;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// `[server] num_workers` slots, with `worker_queue_timeout` as the bound of the line.
#[derive(Debug, Clone)]
pub(crate) struct Slots {
    free: Arc<Semaphore>,
    patience: Duration,
}

impl Slots {
    pub(crate) fn new(workers: u64, patience: Duration) -> Self {
        let workers = usize::try_from(workers).unwrap_or(1).clamp(1, Semaphore::MAX_PERMITS);
        Self { free: Arc::new(Semaphore::new(workers)), patience }
    }

    /// Waits for a slot, in the order of arrival. The slot is free again when the permit is dropped.
    pub(crate) async fn enter(&self) -> Result<OwnedSemaphorePermit, Failure> {
        match tokio::time::timeout(self.patience, self.free.clone().acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            Ok(Err(_)) => Err(Failure::temporarily_unavailable("the server is stopping")),
            Err(_) => {
                let reason = format!("every worker was busy for {} ms", self.patience.as_millis());
                Err(Failure::temporarily_unavailable(&reason))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rift_protocol::ErrorCode;

    #[tokio::test]
    async fn a_full_line_is_refused_and_moves_on() {
        let slots = Slots::new(2, Duration::from_millis(20));
        let (first, _second) = (slots.enter().await.expect("free"), slots.enter().await.expect("free"));
        let refused = slots.enter().await.expect_err("full");
        assert_eq!(refused.code(), ErrorCode::TemporarilyUnavailable);
        assert!(refused.data.message.contains("20 ms"), "{refused}");
        drop(first);
        assert!(slots.enter().await.is_ok());
    }

    #[tokio::test]
    async fn one_that_gave_up_waiting_takes_no_slot() {
        let slots = Slots::new(1, Duration::from_secs(600));
        let held = slots.enter().await.expect("free");
        let line = slots.clone();
        let waiting = tokio::spawn(async move { line.enter().await });
        tokio::task::yield_now().await;
        waiting.abort();
        assert!(waiting.await.is_err());
        drop(held);
        assert!(slots.enter().await.is_ok());
    }
}
