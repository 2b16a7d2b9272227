//! Configuration of the shop.

use std::path::Path;

/// The port that is used when the file names none.
pub const DEFAULT_PORT: u16 = 8080;

/// What the configuration file says.
#[derive(Debug, Clone)]
pub struct Config {
    /// The port to listen on.
    pub port: u16,
    hosts: Vec<String>,
}

impl Config {
    /// Whether requests for `host` are served.
    pub fn serves(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| known == host)
    }
}

/// Loads the configuration from a file.
///
/// A missing file is an empty one.
pub fn load_config(path: &Path) -> std::io::Result<Config> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    Ok(parse_config(&text))
}

fn parse_config(text: &str) -> Config {
    let hosts = text.lines().filter_map(|line| line.strip_prefix("host ")).map(str::to_owned).collect();
    Config { port: DEFAULT_PORT, hosts }
}

#[cfg(test)]
mod tests {
    #[test]
    fn reads_hosts() {
        assert!(super::parse_config("host shop.example").serves("shop.example"));
    }
}
