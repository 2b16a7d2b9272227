//! Where a search runs. The primary project is served; packages would be asked of a global index, which no configuration can
//! switch on in this version, so a scope that reaches them says that it is off.

use rift_host::View;
use rift_protocol::{ReadWarning, Scope, SearchParams};

use crate::packages;

/// Whether the scope names something that there is: profiles and further projects are none of this version's.
pub(super) fn is_served(scope: &Scope) -> bool {
    scope.is_primary() || !scope.is_local()
}

/// What a scope that reaches packages adds: why none answered, then what the dependency context may miss and cannot reach.
pub(super) fn warnings(view: &View, params: &SearchParams) -> Vec<ReadWarning> {
    if params.scope.is_local() {
        return Vec::new();
    }
    let mut context = packages::context(view);
    context.request(&params.packages);
    let mut out = vec![ReadWarning::GlobalAccessDisabled {}];
    out.extend(context.warnings());
    out
}
