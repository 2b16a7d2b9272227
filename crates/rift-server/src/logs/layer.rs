//! Events of `tracing` as records.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};
use time::OffsetDateTime;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

use super::record::{LogRecord, TEXT_BYTES_MAX, cut};
use super::when;
use super::writer::Writer;

/// Writes events to a log. Each is in the file when the call that made it returns.
pub(super) struct FileLayer(Mutex<Writer>);

impl FileLayer {
    pub(super) fn new(writer: Writer) -> Self {
        Self(Mutex::new(writer))
    }
}

impl<S: Subscriber> Layer<S> for FileLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut gathered = Gathered::default();
        event.record(&mut gathered);
        let metadata = event.metadata();
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The time is taken under the lock, so that times of the file do not go back.
        writer.write(LogRecord {
            seq: 0,
            time: when::show(OffsetDateTime::now_utc()),
            level: (*metadata.level()).into(),
            target: metadata.target().to_owned(),
            message: gathered.message,
            fields: gathered.fields,
        });
    }
}

#[derive(Default)]
struct Gathered {
    message: String,
    fields: Map<String, Value>,
}

impl Gathered {
    fn text(&mut self, field: &Field, text: String) {
        let text = cut(text, TEXT_BYTES_MAX);
        if field.name() == "message" {
            self.message = text;
        } else {
            self.put(field, text);
        }
    }

    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        self.fields.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Gathered {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.text(field, format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.text(field, value.to_owned());
    }

    fn record_error(&mut self, field: &Field, value: &(dyn std::error::Error + 'static)) {
        self.text(field, value.to_string());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value);
    }
}
