//! Server-sent events, as far as Streamable HTTP uses them (HTML Living Standard, 9.2.6): the data of each event.

/// A stream that is read in pieces.
#[derive(Debug, Default)]
pub(crate) struct Events {
    /// The begun line.
    line: Vec<u8>,
    /// The lines of data of the begun event, each with its line feed.
    data: Vec<u8>,
    /// Whether the last byte was a carriage return, whose line feed is still to come.
    returned: bool,
}

impl Events {
    /// Takes the next piece; answers the data of the events that it completes, in order. Events without data are none.
    pub(crate) fn feed(&mut self, piece: &[u8]) -> Vec<Vec<u8>> {
        let mut out = Vec::new();
        for &byte in piece {
            let line_feed_of_return = self.returned && byte == b'\n';
            self.returned = byte == b'\r';
            match byte {
                _ if line_feed_of_return => {}
                b'\r' | b'\n' => out.extend(self.end_line()),
                byte => self.line.push(byte),
            }
        }
        out
    }

    fn end_line(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            let mut data = std::mem::take(&mut self.data);
            data.pop();
            return (!data.is_empty()).then_some(data);
        }
        let value = line.strip_prefix(b"data:")?;
        self.data.extend_from_slice(value.strip_prefix(b" ").unwrap_or(value));
        self.data.push(b'\n');
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stream: &str, expected: &[&str]) {
        // However the stream is cut, the events are the same.
        for size in [1, 2, 3, 7, stream.len()] {
            let mut events = Events::default();
            let read: Vec<Vec<u8>> = stream.as_bytes().chunks(size).flat_map(|piece| events.feed(piece)).collect();
            let read: Vec<String> = read.into_iter().map(|data| String::from_utf8(data).expect("UTF-8")).collect();
            assert_eq!(read, expected, "{stream:?} in pieces of {size}");
        }
    }

    #[test]
    fn data_is_read_and_the_rest_is_not() {
        check("data: {\"a\":1}\n\n", &["{\"a\":1}"]);
        check("id: 0\nretry: 3000\ndata:\n\n", &[]);
        check(": keep alive\n\nevent: message\ndata:x\ndata: y\n\ndata: z\n\n", &["x\ny", "z"]);
        check("data: a\r\n\r\ndata: b\r\rdata: ü\n\n", &["a", "b", "ü"]);
        check("data: begun", &[]);
    }
}
