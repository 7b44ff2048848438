//! Each library as it is used: built from all tools, and asked for the ten that fit best.

use bm25::{Document, Language, SearchEngine, SearchEngineBuilder};
use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value};
use tantivy::{Index, IndexReader, TantivyDocument, doc};
use toolsift::{RegisterOptions, ToolSift, options};

use crate::catalog::Server;

const LIMIT: usize = 10;
/// What tantivy's writer may hold: enough for one segment.
const WRITER_BYTES: usize = 200_000_000;

/// A library that holds tools.
pub trait Library: Sized {
    /// Builds it from the definitions, or from a text for each.
    fn build(servers: &[Server], texts: &[String]) -> Self;

    /// How many tools it finds.
    fn search(&self, query: &str) -> usize;
}

impl Library for ToolSift {
    fn build(servers: &[Server], _: &[String]) -> ToolSift {
        let wanted = serde_json::json!({ "limits": { "tools": 10_000 } });
        let sift = ToolSift::new(options::settings(&serde_json::from_value(wanted).unwrap()).unwrap());
        for Server { name, tools } in servers {
            let report = sift.register_json(tools, &RegisterOptions::default().server(name.as_str())).unwrap();
            assert!(report.rejected.is_empty(), "{:?}", report.rejected);
        }
        sift
    }

    fn search(&self, query: &str) -> usize {
        self.search(query, Some(LIMIT), None).unwrap().hits.len()
    }
}

/// One segment in memory. Its tokenizer stems, and its queries match any word, as they do by default.
pub struct Tantivy {
    reader: IndexReader,
    parser: QueryParser,
    number: Field,
}

impl Library for Tantivy {
    fn build(_: &[Server], texts: &[String]) -> Tantivy {
        let indexing =
            TextFieldIndexing::default().set_tokenizer("en_stem").set_index_option(IndexRecordOption::WithFreqs);
        let mut schema = Schema::builder();
        let text = schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
        let number = schema.add_u64_field("number", STORED);
        let index = Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, WRITER_BYTES).unwrap();
        for (at, words) in texts.iter().enumerate() {
            writer.add_document(doc!(number => at as u64, text => words.as_str())).unwrap();
        }
        writer.commit().unwrap();
        Tantivy { reader: index.reader().unwrap(), parser: QueryParser::for_index(&index, vec![text]), number }
    }

    fn search(&self, query: &str) -> usize {
        let (query, _) = self.parser.parse_query_lenient(query);
        let searcher = self.reader.searcher();
        let hits = searcher.search(&query, &TopDocs::with_limit(LIMIT).order_by_score()).unwrap();
        let number = |at| searcher.doc::<TantivyDocument>(at).unwrap().get_first(self.number).unwrap().as_u64();
        hits.into_iter().filter_map(|(_, at)| number(at)).count()
    }
}

// The crate `bm25`, with its own tokenizer, which stems and leaves out stop words.
impl Library for SearchEngine<usize> {
    fn build(_: &[Server], texts: &[String]) -> SearchEngine<usize> {
        let documents = texts.iter().enumerate().map(|(at, text)| Document::new(at, text.as_str()));
        SearchEngineBuilder::with_documents(Language::English, documents).build()
    }

    fn search(&self, query: &str) -> usize {
        self.search(query, LIMIT).len()
    }
}
