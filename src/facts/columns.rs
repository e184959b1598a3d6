//! Writes and reads tables as Parquet files, column by column, without Arrow.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use apidisc::files::RegularFile;
use parquet::{
    basic::{Compression, GzipLevel},
    column::{reader::ColumnReader, writer::ColumnWriter},
    data_type::ByteArray,
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties, WriterVersion},
        reader::{FileReader, SerializedFileReader},
        writer::SerializedFileWriter,
    },
    schema::{parser::parse_message_type, types::TypePtr},
};

/// The number of rows of a row group. A reader has one row group in memory at a time.
const ROWS_PER_GROUP: usize = 1 << 16;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ColumnType {
    /// A text in each row.
    Text,
    /// A text, or null.
    OptionalText,
    /// A list of texts, which may be empty.
    Texts,
    /// A whole number from 0 to `i32::MAX`; a greater one is written as `i32::MAX`.
    Number,
    /// True or false.
    Flag,
}

impl ColumnType {
    fn declaration(self, name: &str) -> String {
        match self {
            Self::Text => format!("required binary {name} (UTF8);"),
            Self::OptionalText => format!("optional binary {name} (UTF8);"),
            Self::Texts => {
                format!("required group {name} (LIST) {{ repeated group list {{ required binary element (UTF8); }} }}")
            }
            Self::Number => format!("required int32 {name};"),
            Self::Flag => format!("required boolean {name};"),
        }
    }

    /// The greatest definition level and the greatest repetition level.
    fn max_levels(self) -> (i16, i16) {
        match self {
            Self::Text | Self::Number | Self::Flag => (0, 0),
            Self::OptionalText => (1, 0),
            Self::Texts => (1, 1),
        }
    }
}

/// A name and a type for each column of a table.
pub(super) type Schema = &'static [(&'static str, ColumnType)];

fn message(table: &str, schema: Schema) -> parquet::errors::Result<TypePtr> {
    let columns: Vec<String> = schema.iter().map(|(name, of)| of.declaration(name)).collect();
    parse_message_type(&format!("message {table} {{ {} }}", columns.join(" "))).map(Arc::new)
}

/// The values of one column in one row group. Definition and repetition levels encode lists and nulls, as Parquet
/// defines them.
#[derive(Debug)]
pub(super) struct Column {
    of: ColumnType,
    texts: Vec<ByteArray>,
    numbers: Vec<i32>,
    flags: Vec<bool>,
    definition: Vec<i16>,
    repetition: Vec<i16>,
    /// The positions of the next value and of the next level to read.
    next: (usize, usize),
}

impl Column {
    fn new(of: ColumnType) -> Self {
        let (texts, numbers, flags) = Default::default();
        let (definition, repetition) = Default::default();
        Self { of, texts, numbers, flags, definition, repetition, next: (0, 0) }
    }

    fn clear(&mut self) {
        *self = Self::new(self.of);
    }

    pub(super) fn push_text(&mut self, text: &str) {
        self.texts.push(ByteArray::from(text.as_bytes().to_vec()));
    }

    pub(super) fn push_optional(&mut self, text: Option<&str>) {
        self.definition.push(i16::from(text.is_some()));
        if let Some(text) = text {
            self.push_text(text);
        }
    }

    pub(super) fn push_texts<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        let before = self.definition.len();
        for text in texts {
            self.repetition.push(i16::from(self.definition.len() > before));
            self.definition.push(1);
            self.push_text(text);
        }
        if self.definition.len() == before {
            self.definition.push(0);
            self.repetition.push(0);
        }
    }

    pub(super) fn push_number(&mut self, number: u32) {
        self.numbers.push(i32::try_from(number).unwrap_or(i32::MAX));
    }

    pub(super) fn push_flag(&mut self, flag: bool) {
        self.flags.push(flag);
    }

    /// The text of the next row.
    pub(super) fn text(&mut self) -> anyhow::Result<&str> {
        let (value, _) = &mut self.next;
        *value += 1;
        let text = self.texts.get(*value - 1).context("a column is too short")?;
        Ok(text.as_utf8()?)
    }

    /// The text of the next row, if it is not null.
    pub(super) fn optional(&mut self) -> anyhow::Result<Option<&str>> {
        self.next.1 += 1;
        match self.definition.get(self.next.1 - 1).context("a column is too short")? {
            0 => Ok(None),
            _ => self.text().map(Some),
        }
    }

    /// The list of the next row.
    pub(super) fn texts(&mut self) -> anyhow::Result<Vec<&str>> {
        let (first_value, first) = self.next;
        let defined = *self.definition.get(first).context("a column is too short")?;
        let more = self.repetition.iter().skip(first + 1).take_while(|&&level| level > 0).count();
        let values = if defined == 0 { 0 } else { more + 1 };
        self.next = (first_value + values, first + 1 + more);
        let texts = self.texts.get(first_value..first_value + values).context("a column is too short")?;
        texts.iter().map(|text| Ok(text.as_utf8()?)).collect()
    }

    pub(super) fn number(&mut self) -> anyhow::Result<u32> {
        self.next.0 += 1;
        let number = self.numbers.get(self.next.0 - 1).context("a column is too short")?;
        Ok(u32::try_from(*number)?)
    }

    pub(super) fn flag(&mut self) -> anyhow::Result<bool> {
        self.next.0 += 1;
        self.flags.get(self.next.0 - 1).copied().context("a column is too short")
    }

    fn write(&self, writer: &mut ColumnWriter<'_>) -> parquet::errors::Result<()> {
        let (definition, repetition) = self.of.max_levels();
        let definition = (definition > 0).then_some(&self.definition[..]);
        let repetition = (repetition > 0).then_some(&self.repetition[..]);
        match writer {
            ColumnWriter::ByteArrayColumnWriter(writer) => writer.write_batch(&self.texts, definition, repetition),
            ColumnWriter::Int32ColumnWriter(writer) => writer.write_batch(&self.numbers, definition, repetition),
            ColumnWriter::BoolColumnWriter(writer) => writer.write_batch(&self.flags, definition, repetition),
            _ => Err(parquet::errors::ParquetError::General("a column of another type".to_owned())),
        }
        .map(drop)
    }

    fn read(&mut self, reader: ColumnReader, rows: usize) -> anyhow::Result<()> {
        self.clear();
        let (definition, repetition) = self.of.max_levels();
        let definition = (definition > 0).then_some(&mut self.definition);
        let repetition = (repetition > 0).then_some(&mut self.repetition);
        let (read, _, _) = match (reader, self.of) {
            (
                ColumnReader::ByteArrayColumnReader(mut reader),
                ColumnType::Text | ColumnType::OptionalText | ColumnType::Texts,
            ) => reader.read_records(rows, definition, repetition, &mut self.texts)?,
            (ColumnReader::Int32ColumnReader(mut reader), ColumnType::Number) => {
                reader.read_records(rows, definition, repetition, &mut self.numbers)?
            }
            (ColumnReader::BoolColumnReader(mut reader), ColumnType::Flag) => {
                reader.read_records(rows, definition, repetition, &mut self.flags)?
            }
            _ => bail!("a column has another type"),
        };
        if read == rows { Ok(()) } else { bail!("a column is too short") }
    }
}

/// Writes a table, row group by row group.
pub(super) struct TableWriter {
    writer: SerializedFileWriter<Vec<u8>>,
    columns: Vec<Column>,
    rows: usize,
}

impl TableWriter {
    /// Begins a table. `metadata` are the keys and texts of its footer.
    pub(super) fn new(table: &str, schema: Schema, metadata: &[(&str, &str)]) -> anyhow::Result<Self> {
        let metadata = metadata.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), (*value).to_owned()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::GZIP(GzipLevel::default()))
            // Nobody looks up single pages of a file this small.
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .set_writer_version(WriterVersion::PARQUET_1_0)
            .set_created_by(concat!("apidisc-tui ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(metadata.collect()))
            .build();
        let writer = SerializedFileWriter::new(Vec::new(), message(table, schema)?, Arc::new(properties))?;
        Ok(Self { writer, columns: schema.iter().map(|(_, of)| Column::new(*of)).collect(), rows: 0 })
    }

    /// Adds a row: `fill` pushes one value to each column.
    pub(super) fn row(&mut self, fill: impl FnOnce(&mut [Column]) -> anyhow::Result<()>) -> anyhow::Result<()> {
        fill(&mut self.columns)?;
        self.rows += 1;
        if self.rows == ROWS_PER_GROUP { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            let mut writer = group.next_column()?.context("a column is missing in the schema")?;
            column.write(writer.untyped())?;
            writer.close()?;
            column.clear();
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }

    /// The bytes of the file.
    pub(super) fn finish(mut self) -> anyhow::Result<Vec<u8>> {
        self.flush()?;
        Ok(self.writer.into_inner()?)
    }
}

/// Reads a table, row group by row group.
pub(super) struct TableReader {
    reader: Box<dyn FileReader>,
    schema: Schema,
}

impl TableReader {
    /// Opens a table.
    ///
    /// # Errors
    /// If the file is no Parquet file, or if its columns are not those of the schema.
    pub(super) fn open(file: RegularFile, schema: Schema) -> anyhow::Result<Self> {
        let reader = Box::new(SerializedFileReader::new(file.into_file())?);
        let found = reader.metadata().file_metadata().schema_descr().root_schema().get_fields();
        if !found.iter().map(|field| field.name()).eq(schema.iter().map(|(name, _)| *name)) {
            bail!("it has other columns");
        }
        Ok(Self { reader, schema })
    }

    /// A text of the footer.
    pub(super) fn metadata(&self, key: &str) -> Option<&str> {
        let texts = self.reader.metadata().file_metadata().key_value_metadata()?;
        texts.iter().find(|text| text.key == key)?.value.as_deref()
    }

    /// Calls `visit` with the columns, once for each row. `visit` must take the values of a row from the columns that
    /// it reads.
    ///
    /// # Errors
    /// Those of `visit`, and if the file cannot be read.
    pub(super) fn rows(&self, mut visit: impl FnMut(&mut [Column]) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let mut columns: Vec<Column> = self.schema.iter().map(|(_, of)| Column::new(*of)).collect();
        for at in 0..self.reader.num_row_groups() {
            let group = self.reader.get_row_group(at)?;
            let rows = usize::try_from(group.metadata().num_rows())?;
            for (at, column) in columns.iter_mut().enumerate() {
                column.read(group.get_column_reader(at)?, rows)?;
            }
            for _ in 0..rows {
                visit(&mut columns)?;
            }
        }
        Ok(())
    }
}
