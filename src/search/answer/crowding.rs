//! Keeps one server from taking all of the first places if tools of other servers fit too, so that a tool stays among
//! the hits when another server joins. It considers only places, not the size of a server or its texts.

use crate::search::ids::{Doc, ServerId};
use crate::search::ranking::{Candidate, FITS};

/// The number of places that form a page: half of the default hits, and all that a hurried model reads.
pub(crate) const PAGE: usize = 5;
/// The maximum number of these places for one server if others fit too.
const OF_ONE_SERVER: usize = 4;
/// The number of pages for which this holds. Later hits are read only by models that want something else.
const PAGES: usize = 2;

/// Moves tools of other servers up if one server would take more places than allowed. The first `fixed` hits keep their
/// places. Returns a tool of each server that had to give up a place.
pub(crate) fn share_places(ranked: &mut [Candidate], fixed: usize) -> Vec<Doc> {
    let mut crowded: Vec<Candidate> = Vec::new();
    let least = FITS * ranked.first().map_or(0.0, Candidate::score);
    for at in fixed..ranked.len().min(PAGE * PAGES) {
        let page = &ranked[at - at % PAGE..at];
        let first = ranked[at];
        let server = first.server;
        if server == ServerId::NONE || page.iter().filter(|one| one.server == server).count() < OF_ONE_SERVER {
            continue;
        }
        let other = ranked[at..].iter().position(|other| other.server != server);
        let Some(behind) = other.filter(|behind| ranked[at + behind].score() >= least) else { continue };
        ranked[at..=at + behind].rotate_right(1);
        if crowded.iter().all(|one| one.server != server) {
            crowded.push(first);
        }
    }
    crowded.into_iter().map(|one| one.doc).collect()
}

/// Returns the best hit of another server than that of the first hit, if it fits too.
pub(crate) fn beside(ranked: &[Candidate]) -> Option<Doc> {
    let first = ranked.first()?;
    let mut others = ranked.iter().filter(|other| other.server != first.server);
    others.next().filter(|other| other.by_words() >= FITS * first.by_words()).map(|other| other.doc)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the docs of candidates, given as server and score, best first, and the docs of tools that had to give up
    /// a place.
    fn ranked(servers: &[(u32, f64)]) -> (Vec<u32>, Vec<u32>) {
        let candidate = |(doc, (server, words)): (usize, &(u32, f64))| Candidate {
            doc: Doc::new(doc),
            server: ServerId(*server),
            words: *words,
            ..Candidate::default()
        };
        let mut ranked: Vec<Candidate> = servers.iter().enumerate().map(candidate).collect();
        let crowded = share_places(&mut ranked, 0);
        (ranked.iter().map(|one| one.doc.0).collect(), crowded.iter().map(|doc| doc.0).collect())
    }

    #[test]
    fn the_fifth_place_goes_to_another_server_that_fits() {
        let servers = [(1, 1.0), (1, 0.9), (1, 0.9), (1, 0.9), (1, 0.8), (1, 0.8), (2, 0.5), (3, 0.4)];
        assert_eq!(ranked(&servers), (vec![0, 1, 2, 3, 6, 4, 5, 7], vec![4]));
        // The number of tools of one server does not matter.
        let many: Vec<(u32, f64)> = (0..500).map(|_| (1, 1.0)).chain([(2, 0.5)]).collect();
        assert_eq!(ranked(&many).0[..6], [0, 1, 2, 3, 500, 4]);
    }

    #[test]
    fn nothing_moves_where_no_other_fits_or_tools_have_no_server() {
        let alone = [(1, 1.0), (1, 1.0), (1, 1.0), (1, 1.0), (1, 1.0), (2, 0.39)];
        assert_eq!(ranked(&alone), (vec![0, 1, 2, 3, 4, 5], Vec::new()));
        assert_eq!(ranked(&alone.map(|(_, score)| (0, score))).0, [0, 1, 2, 3, 4, 5]);
        assert!(ranked(&[]).0.is_empty());
    }
}
