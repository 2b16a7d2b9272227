//! Tests of the whole binary, over real pipes: MCP, its peers, the command line, and real input that broke other tools.
#![allow(clippy::disallowed_methods)]

mod adoption;
mod churn;
mod cli;
mod config_cli;
mod conformance;
mod debug_cli;
mod debug_page;
mod doctor;
mod faults;
mod gitignore;
mod http;
mod inputs;
mod inspector;
mod kills;
mod live;
mod logs_cli;
mod patterns;
mod preparation;
mod protocol;
mod proxy;
mod python_sdks;
mod references;
mod rmcp_client;
mod roots;
mod script;
mod servers;
mod support;
mod tools;
