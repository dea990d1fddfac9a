//! `vato solve verify` and `vato solve strategy`: what is proven, checked, and made into a strategy.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use indicatif::HumanBytes;
use vato_engine::counted;
use vato_engine::proofs::{CertificateFile, Claim, Strategy};
use vato_engine::rules::Rules;
use vato_engine::tablebase::{MAX_STONES, TableFolders, Tablebases};
use vato_solver::files::{create, require_new};
use vato_solver::tables::for_solving;
use vato_solver::{Faults, make_strategy, verify_certificate, verify_strategy};

use super::support::arguments::{named_file, number};
use super::support::failure::{Failure, stdout};

/// The tables of at least this many stones.
fn tables(rules: &Rules, folders: &[PathBuf], stones: u32) -> Result<Arc<Tablebases>, Failure> {
    let folders = TableFolders::of(folders.to_vec());
    let tables = for_solving(rules, &folders, Some(stones), &|| true)?;
    Ok(Arc::new(tables))
}

/// Check a certificate or a strategy by the rules and the tables alone
///
/// A certificate is a set of positions, each of which is checked. A strategy is walked from its start: each move of the
/// side that is to be held, the reply of the other one, until the tables decide. `proof` is the one in the program,
/// for the standard game; it takes half a minute and a gigabyte. A file of that name is `./proof`.
#[derive(Args, Clone, Debug)]
pub(super) struct VerifyArguments {
    /// The certificate or strategy; proof: the strategy in the program
    file: PathBuf,

    /// A folder of tablebases, may be given several times; auto: where `vato tablebase build` writes
    #[arg(long, value_name = "DIR")]
    tablebases: Vec<PathBuf>,
}

impl VerifyArguments {
    pub(super) fn verify(&self) -> Result<(), Failure> {
        match Strategy::is_one(&self.file) {
            true => self.verify_strategy(),
            false => self.verify_certificate(),
        }
    }

    fn verify_certificate(&self) -> Result<(), Failure> {
        let certificate = CertificateFile::open(&self.file)?;
        let header = &certificate.header;
        let tables = tables(&certificate.rules, &self.tablebases, header.stones)?;
        let faults = verify_certificate(&certificate, &tables).map_err(Failure::Error)?;
        let positions = counted(header.positions, "position", "positions");
        require_none(&tables, &faults, &positions)?;
        let claim = match header.claim {
            Claim::Wins => "wins",
            Claim::CannotWin => "cannot force a win",
        };
        let (root, attacker, stones) = (&header.root, &header.attacker, header.stones);
        let told = format!("{positions}, tables of {stones} stones, valid");
        Ok(writeln!(stdout(), "{root}\n{attacker} {claim}: {told}")?)
    }

    fn verify_strategy(&self) -> Result<(), Failure> {
        let strategy = Strategy::open(&self.file)?;
        let header = &strategy.header;
        let tables = tables(&strategy.rules, &self.tablebases, header.stones)?;
        let report = verify_strategy(&strategy, &tables).map_err(Failure::Error)?;
        let replies = counted(report.replies, "reply", "replies");
        let positions = counted(report.positions, "position", "positions");
        require_none(&tables, &report.faults, &positions)?;
        let mut out = stdout();
        for root in &header.roots {
            writeln!(out, "{}\n{} cannot lose", root.fen, root.holds)?;
        }
        let stones = header.stones;
        let told = format!("{positions}, {replies}, tables of {stones} stones, valid");
        Ok(writeln!(out, "{told}")?)
    }
}

/// An error if a table is damaged, or if there are faults, after printing the first ones.
fn require_none(tables: &Tablebases, faults: &Faults, positions: &str) -> Result<(), Failure> {
    match (tables.complaints().pop(), faults.count) {
        (Some(complaint), _) => return Err(Failure::Error(complaint)),
        (None, 0) => return Ok(()),
        _ => {}
    }
    let mut out = stdout();
    for fault in &faults.named {
        writeln!(out, "{fault}")?;
    }
    let faults = counted(faults.count, "fault", "faults");
    Err(Failure::Error(format!("{faults} in {positions}")))
}

/// Turn certificates into a strategy: a reply for each position to which its own play leads
///
/// A strategy has no positions, only the numbers of the replies, two to three bits each. It starts at the beginning of
/// the game, if what is proven reaches that far, or else where the certificates do. `Book File` takes it, and `vato solve
/// verify` checks it.
#[derive(Args, Clone, Debug)]
pub(super) struct StrategyArguments {
    /// Certificates of the same rules that say who cannot win
    #[arg(required = true, value_name = "CERTIFICATE")]
    files: Vec<PathBuf>,

    /// It ends in tablebases of this many stones [default: as many as all of the certificates need]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=u64::from(MAX_STONES)))]
    stones: Option<u32>,

    /// A folder of the tablebases of the certificates, may be given several times; auto: where `vato tablebase build`
    /// writes
    #[arg(long, value_name = "DIR")]
    tablebases: Vec<PathBuf>,

    /// The new file
    #[arg(long, value_name = "FILE", value_parser = named_file())]
    out: PathBuf,
}

impl StrategyArguments {
    pub(super) fn make(&self) -> Result<(), Failure> {
        if Strategy::is_built_in(&self.out) {
            let what = "--out: 'proof' is the strategy in the program, expected another name";
            return Err(Failure::Usage(what.to_owned()));
        }
        let unwritten = Failure::cannot_write(&self.out);
        // Known before long work.
        require_new(&self.out).map_err(&unwritten)?;
        let files = self.files.iter().map(|path| CertificateFile::open(path));
        let files = files.collect::<Result<Vec<_>, _>>()?;
        let needed = files.iter().map(|file| file.header.stones);
        let (fewest, most) = (needed.clone().min(), needed.max());
        let fewest = fewest.unwrap_or_default();
        let stones = self.stones.unwrap_or(fewest);
        if stones > fewest {
            let what =
                format!("--stones: expected at most {fewest}, the tablebases of a certificate");
            return Err(Failure::Usage(what));
        }
        let tables = tables(&files[0].rules, &self.tablebases, most.unwrap_or(fewest))?;
        let bytes = make_strategy(&files, &tables, stones).map_err(Failure::Error)?;
        create(&self.out, |file| file.write_all(&bytes)).map_err(unwritten)?;
        let size = HumanBytes(bytes.len() as u64);
        Ok(writeln!(stdout(), "{}: {size}", self.out.display())?)
    }
}
