//! Whether a version is an exact one in the canonical spelling of its ecosystem.

fn number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'))
}

fn identifiers(text: &str, leading_zeros: bool) -> bool {
    text.split('.').all(|part| {
        let digits = part.bytes().all(|b| b.is_ascii_digit());
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && (leading_zeros || !digits || number(part))
    })
}

/// A version of the grammar of Semantic Versioning 2.0.0, section "Backus-Naur Form Grammar".
pub(super) fn is_semver(text: &str) -> bool {
    let (rest, build) = text.split_once('+').map_or((text, None), |(rest, build)| (rest, Some(build)));
    let (core, pre) = rest.split_once('-').map_or((rest, None), |(core, pre)| (core, Some(pre)));
    let mut parts = core.split('.');
    let numbers = parts.clone().count() == 3 && parts.all(number);
    numbers && pre.is_none_or(|pre| identifiers(pre, false)) && build.is_none_or(|build| identifiers(build, true))
}

/// A version in the normalized spelling of the Python packaging specification "Version specifiers" (PEP 440):
/// `[N!]N(.N)*[{a|b|rc}N][.postN][.devN][+local]`.
pub(super) fn is_pep440(text: &str) -> bool {
    let (public, local) = text.split_once('+').map_or((text, None), |(public, local)| (public, Some(local)));
    let local_ok = local.is_none_or(|local| {
        local.split('.').all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
    });
    let rest = match public.split_once('!') {
        Some((epoch, rest)) if number(epoch) && epoch != "0" => rest,
        Some(_) => return false,
        None => public,
    };
    let (rest, dev) = rest.split_once(".dev").map_or((rest, None), |(rest, n)| (rest, Some(n)));
    let (rest, post) = rest.split_once(".post").map_or((rest, None), |(rest, n)| (rest, Some(n)));
    let release_end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let (release, pre) = rest.split_at(release_end);
    let pre_ok = pre.is_empty() || ["a", "b", "rc"].iter().any(|p| pre.strip_prefix(p).is_some_and(number));
    local_ok && pre_ok && dev.is_none_or(number) && post.is_none_or(number) && release.split('.').all(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn semver() {
        for good in
            ["0.0.4", "1.2.3", "1.1.2-prerelease+meta", "1.0.0-0A.is.legal", "1.0.0+0.build.1-rc.1", "2.0.1-alpha.1227"]
        {
            assert!(is_semver(good), "{good}");
        }
        for bad in
            ["", "1", "1.2", "1.2.3.4", "01.1.1", "1.2.3-", "1.2.3-0123", "1.2.3+", "v1.2.3", "^1.2.3", "1.2.3-a_b"]
        {
            assert!(!is_semver(bad), "{bad}");
        }
    }

    #[test]
    fn pep440() {
        for good in
            ["1", "1.0", "2024.4", "1!2.0", "1.0a1", "1.0rc2.post3.dev4", "1.0.dev456", "1.0.post1", "1.0+ubuntu.1"]
        {
            assert!(is_pep440(good), "{good}");
        }
        for bad in ["", "1.", "v1.0", "1.0-1", "1.0alpha1", "1.0.post", "0!1.0", "1.0+Ubuntu", ">=1.0", "1.0.*", "01"] {
            assert!(!is_pep440(bad), "{bad}");
        }
    }
}
