//! The folders of table files.

use std::path::PathBuf;

use super::rules::TableRules;
use crate::files;
use crate::rules::Rules;

/// The folders whose tables are used besides the built-in ones, the preferred ones first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFolders(Vec<PathBuf>);

impl TableFolders {
    /// The word for the user's folder, if it exists.
    pub const AUTO: &str = "auto";

    /// The name of the file that lists the slices of a folder.
    pub const MANIFEST: &str = "manifest.json";

    /// The word for no folder.
    pub const NONE: &str = "none";

    /// The user's folder alone.
    pub fn auto() -> TableFolders {
        TableFolders(vec![TableFolders::AUTO.into()])
    }

    /// The folders of a list, in which `auto` is the user's, and `none` is no folder.
    pub fn of(mut list: Vec<PathBuf>) -> TableFolders {
        list.retain(|folder| folder.as_os_str() != TableFolders::NONE);
        TableFolders(list)
    }

    /// Whether folders are named.
    pub fn are_named(&self) -> bool {
        let is_path = |folder: &PathBuf| folder.as_os_str() != TableFolders::AUTO;
        self.0.iter().any(is_path)
    }

    /// The folders to open for games under `rules`; may be empty.
    pub fn paths(&self, rules: &Rules) -> Vec<PathBuf> {
        let path = |folder: &PathBuf| match folder.as_os_str() == TableFolders::AUTO {
            true => TableFolders::of_the_user(rules).filter(|path| path.is_dir()),
            false => Some(folder.clone()),
        };
        self.0.iter().filter_map(path).collect()
    }

    /// The user's folder for the tables of games under `rules`, whether it exists or not: `tablebases/NAME`, where NAME is a
    /// name for the rules, in [`files::of_the_user`]. `None` if the rules have no tables, or the user has no home folder.
    pub fn of_the_user(rules: &Rules) -> Option<PathBuf> {
        let tables = TableRules::of(rules).ok()?;
        let name = match tables.preset() {
            Some(preset) => preset.name().to_owned(),
            None => tables.rules().to_string().replace(' ', ","),
        };
        Some(files::of_the_user()?.join("tablebases").join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::TableFolders;
    use crate::rules::{Rules, parse_rules};

    #[test]
    fn rules_with_the_same_tables_share_a_folder() {
        let name = |rules: &str| {
            let rules = parse_rules(rules).expect("right");
            let folder = TableFolders::of_the_user(&rules)?;
            let name = folder.file_name().expect("a name");
            Some(name.to_string_lossy().into_owned())
        };
        // Without a home there is nothing to compare.
        if name("tsivy").is_some() {
            for (rules, folder) in [
                ("tsivy", "tsivy"),
                ("riatra", "tsivy"),
                ("repeat=2 limit=0", "tsivy"),
                ("dimy", "dimy"),
                ("board=5x3 chain=full", "board=5x3,chain=full"),
                ("capture=opening", "free-capture"),
            ] {
                assert_eq!(name(rules).as_deref(), Some(folder), "{rules}");
            }
        }
        for rules in ["vela", "tie=count", "repeat=1"] {
            assert_eq!(name(rules), None, "{rules}");
        }
    }

    #[test]
    fn words_and_paths() {
        let folders = |list: &[&str]| TableFolders::of(list.iter().map(Into::into).collect());
        let rules = Rules::STANDARD;
        assert_eq!(folders(&["auto", "none"]), TableFolders::auto());
        for none in [&["none"][..], &[]] {
            assert_eq!(folders(none).paths(&rules).len(), 0);
        }
        let users = TableFolders::auto().paths(&rules);
        for named in [["auto", "other"], ["auto", "./none"], ["auto", "Auto"]] {
            let folders = folders(&named);
            assert!(folders.are_named(), "{named:?}");
            let paths = [&users[..], &[named[1].into()]].concat();
            assert_eq!(folders.paths(&rules), paths, "{named:?}");
        }
    }
}
