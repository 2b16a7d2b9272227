//! What server and proxy answer alike: their introduction, and the listings, which are fixed for a process's life.

use rmcp::model::{
    CacheScope, Implementation, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, ProtocolVersion,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};

use crate::catalog::{INSTRUCTIONS, resource_templates, resources};

/// How long a listing may be kept, in milliseconds. It changes with the executable alone.
const LISTING_FRESH_MS: u64 = 60 * 60 * 1000;

/// The introduction.
pub(crate) fn info() -> ServerConfig {
    let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
    let mut info = ServerConfig::new(capabilities).with_instructions(INSTRUCTIONS);
    info.server_info = Implementation::new("rift", env!("CARGO_PKG_VERSION"));
    info
}

/// Whether the request's revision of the protocol knows cache hints: 2026-07-28 and later.
fn knows_cache_hints(context: &RequestContext<RoleServer>) -> bool {
    // Revisions are dates, so they compare as text.
    context.protocol_version().is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

/// `tools/list`.
pub(crate) fn list_tools(tools: &[Tool], context: &RequestContext<RoleServer>) -> ListToolsResult {
    let page = ListToolsResult::with_all_items(tools.to_vec());
    if !knows_cache_hints(context) {
        return page;
    }
    page.with_ttl_ms(LISTING_FRESH_MS).with_cache_scope(CacheScope::Public)
}

/// `resources/list`.
pub(crate) fn list_resources(context: &RequestContext<RoleServer>) -> ListResourcesResult {
    let page = ListResourcesResult::with_all_items(resources());
    if !knows_cache_hints(context) {
        return page;
    }
    page.with_ttl_ms(LISTING_FRESH_MS).with_cache_scope(CacheScope::Public)
}

/// `resources/templates/list`.
pub(crate) fn list_resource_templates(context: &RequestContext<RoleServer>) -> ListResourceTemplatesResult {
    let page = ListResourceTemplatesResult::with_all_items(resource_templates());
    if !knows_cache_hints(context) {
        return page;
    }
    page.with_ttl_ms(LISTING_FRESH_MS).with_cache_scope(CacheScope::Public)
}
