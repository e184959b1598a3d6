//! Frameworks whose components hold scripts and a template in one file.

use super::file_name;

/// The framework of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framework {
    /// Vue: `.vue`.
    Vue,
    /// Svelte: `.svelte`.
    Svelte,
    /// Astro: `.astro`.
    Astro,
    /// MDX, pages of Markdown with elements: `.mdx`.
    Mdx,
}

impl Framework {
    /// The framework of a file, by its ending.
    pub fn of_path(path: &str) -> Option<Self> {
        Some(match file_name(path).rsplit_once('.')?.1 {
            "vue" => Self::Vue,
            "svelte" => Self::Svelte,
            "astro" => Self::Astro,
            "mdx" => Self::Mdx,
            _ => return None,
        })
    }

    /// The name of a component: that of its file. `user-card.vue` and `[slug].astro` give names that code can write.
    pub fn component_name(path: &str) -> String {
        let file = file_name(path);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let is_name = stem.chars().all(is_part) && !stem.starts_with(|c: char| c.is_numeric());
        if is_name && !stem.is_empty() {
            return stem.to_owned();
        }
        let mut name = String::new();
        for part in stem.split(|c| !is_part(c)).filter(|part| !part.is_empty()) {
            let mut chars = part.chars();
            name.extend(chars.next().into_iter().flat_map(char::to_uppercase));
            name.push_str(chars.as_str());
        }
        if name.is_empty() || name.starts_with(|c: char| c.is_numeric()) { format!("Component{name}") } else { name }
    }
}

#[cfg(test)]
mod tests {
    use super::Framework;

    #[test]
    fn a_component_has_the_name_of_its_file() {
        let names = [
            ("a/UserCard.vue", "UserCard"),
            ("user-card.svelte", "UserCard"),
            ("pages/[...slug].astro", "Slug"),
            ("index.astro", "index"),
            ("404.astro", "Component404"),
            ("+page.svelte", "Page"),
        ];
        for (path, name) in names {
            assert_eq!(Framework::component_name(path), name, "{path}");
        }
    }
}
