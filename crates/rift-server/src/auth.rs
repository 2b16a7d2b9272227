//! Who may ask: checked before a request is routed anywhere.

use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode, Uri};
use subtle::ConstantTimeEq as _;

/// What admits to one server.
#[derive(Debug)]
pub(crate) struct Access {
    /// The one `Host` of the bound port. A name would do for a page that rebinds a domain name to this machine.
    host: String,
    /// The token; absent when everyone on this machine may ask.
    token: Option<String>,
}

impl Access {
    pub(crate) fn new(port: u16, token: Option<String>) -> Self {
        Self { host: format!("127.0.0.1:{port}"), token }
    }

    /// Admits a request, or says with which status it is refused.
    pub(crate) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), StatusCode> {
        let hosts: Vec<&[u8]> = headers.get_all(HOST).iter().map(|host| host.as_bytes()).collect();
        if hosts != [self.host.as_bytes()] || uri.authority().is_some_and(|named| named.as_str() != self.host) {
            return Err(StatusCode::FORBIDDEN);
        }
        if !headers.get_all(ORIGIN).iter().all(|origin| origin.to_str().is_ok_and(is_loopback)) {
            return Err(StatusCode::FORBIDDEN);
        }
        let Some(token) = &self.token else { return Ok(()) };
        let stated: Vec<&[u8]> = headers.get_all(AUTHORIZATION).iter().map(|value| value.as_bytes()).collect();
        let [stated] = stated.as_slice() else { return Err(StatusCode::UNAUTHORIZED) };
        if bearer(stated).is_some_and(|stated| bool::from(stated.ct_eq(token.as_bytes()))) {
            Ok(())
        } else {
            Err(StatusCode::UNAUTHORIZED)
        }
    }
}

/// The token of a header `Bearer TOKEN` (RFC 6750, section 2.1); the scheme's case does not count (RFC 9110, 11.1).
fn bearer(header: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = header.split_at_checked(b"bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"bearer ").then_some(rest)
}

/// Whether an origin (RFC 6454, section 6.1) is a page of this machine.
fn is_loopback(origin: &str) -> bool {
    let Ok(uri) = origin.parse::<Uri>() else { return false };
    let (Some("http" | "https"), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return false };
    if authority.as_str().contains('@') || uri.path_and_query().is_some_and(|rest| rest.as_str() != "/") {
        return false;
    }
    let host = authority.host();
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let literal = bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    literal || host.eq_ignore_ascii_case("localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(uri: &str, headers: &[(&str, &str)], expected: Result<(), u16>) {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(
                name.parse::<axum::http::HeaderName>().expect("a name"),
                axum::http::HeaderValue::from_bytes(value.as_bytes()).expect("a value"),
            );
        }
        let access = Access::new(12000, Some("secret".to_owned()));
        let answer = access.check(&uri.parse().expect("a URI"), &map).map_err(|status| status.as_u16());
        assert_eq!(answer, expected, "{uri} {headers:?}");
    }

    #[test]
    fn only_the_literal_host_of_the_port() {
        let token = ("authorization", "Bearer secret");
        check("/api/mcp", &[("host", "127.0.0.1:12000"), token], Ok(()));
        check("http://127.0.0.1:12000/api/mcp", &[("host", "127.0.0.1:12000"), token], Ok(()));
        check("http://evil.example/api/mcp", &[("host", "127.0.0.1:12000"), token], Err(403));
        check("/api/mcp", &[("host", "127.0.0.1:12000"), ("host", "127.0.0.1:12000"), token], Err(403));
        check("/api/mcp", &[token], Err(403));
        for host in [
            "127.0.0.1",
            "127.0.0.1:12001",
            "127.0.0.1:120000",
            "127.0.0.2:12000",
            "localhost:12000",
            "[::1]:12000",
            "evil.example:12000",
            "127.0.0.1:12000.evil.example",
            "user@127.0.0.1:12000",
            "2130706433:12000",
            "",
        ] {
            check("/api/mcp", &[("host", host), token], Err(403));
        }
    }

    #[test]
    fn a_present_origin_is_loopback() {
        let (host, token) = (("host", "127.0.0.1:12000"), ("authorization", "Bearer secret"));
        for (origin, admitted) in [
            ("http://127.0.0.1:12000", true),
            ("http://127.0.0.1", true),
            ("https://localhost:3000", true),
            ("http://[::1]:8080", true),
            ("http://127.8.8.8", true),
            ("null", false),
            ("", false),
            ("http://evil.example", false),
            ("http://localhost.evil.example", false),
            ("http://127.0.0.1.evil.example", false),
            ("http://localhost@evil.example", false),
            ("http://evil.example@localhost", false),
            ("http://localhost/evil", false),
            ("file://localhost", false),
            ("http://192.168.0.1", false),
            ("http://é", false),
        ] {
            let expected = if admitted { Ok(()) } else { Err(403) };
            check("/api/mcp", &[host, token, ("origin", origin)], expected);
        }
        check("/", &[host, token, ("origin", "http://localhost"), ("origin", "http://evil.example")], Err(403));
    }

    #[test]
    fn only_the_token() {
        let host = ("host", "127.0.0.1:12000");
        check("/", &[host, ("authorization", "bearer secret")], Ok(()));
        for value in ["Bearer secre", "Bearer secrets", "Bearer  secret", "Bearer ", "Basic secret", "secret", "", "é"]
        {
            check("/", &[host, ("authorization", value)], Err(401));
        }
        check("/", &[host], Err(401));
        check("/?token=secret", &[host], Err(401));
        check("/", &[host, ("authorization", "Bearer secret"), ("authorization", "Bearer secret")], Err(401));
    }

    #[test]
    fn without_a_token_host_and_origin_still_count() {
        let access = Access::new(12000, None);
        let mut headers = HeaderMap::new();
        let uri: Uri = "/".parse().expect("a URI");
        assert_eq!(access.check(&uri, &headers), Err(StatusCode::FORBIDDEN));
        headers.append(HOST, axum::http::HeaderValue::from_static("127.0.0.1:12000"));
        assert_eq!(access.check(&uri, &headers), Ok(()));
        headers.append(ORIGIN, axum::http::HeaderValue::from_static("https://evil.example"));
        assert_eq!(access.check(&uri, &headers), Err(StatusCode::FORBIDDEN));
    }
}
