//! A static embedding model of a handful of words, in the files that model2vec writes.

/// The bytes of a model's three files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TinyModel {
    /// `config.json`.
    pub config: Vec<u8>,
    /// `tokenizer.json`: words, in lowercase.
    pub tokenizer: Vec<u8>,
    /// `model.safetensors`: a row of numbers for each word.
    pub tensors: Vec<u8>,
}

/// A model in whose space each of `topics` is an axis, and the words of a topic point along it. Words that no topic has are
/// not known.
pub fn tiny_model(topics: &[&[&str]]) -> TinyModel {
    let mut vocabulary = vec!["\"[UNK]\":0".to_owned()];
    let mut numbers = vec![0.0f32; topics.len()];
    for (axis, words) in topics.iter().enumerate() {
        for word in *words {
            vocabulary.push(format!("\"{word}\":{}", vocabulary.len()));
            numbers.extend((0..topics.len()).map(|at| if at == axis { 1.0 } else { 0.0 }));
        }
    }
    let tokenizer = format!(
        "{{\"version\":\"1.0\",\"truncation\":null,\"padding\":null,\"added_tokens\":[],\
         \"normalizer\":{{\"type\":\"BertNormalizer\",\"clean_text\":true,\"handle_chinese_chars\":true,\
         \"strip_accents\":null,\"lowercase\":true}},\"pre_tokenizer\":{{\"type\":\"BertPreTokenizer\"}},\
         \"post_processor\":null,\"decoder\":null,\"model\":{{\"type\":\"WordPiece\",\"unk_token\":\"[UNK]\",\
         \"continuing_subword_prefix\":\"##\",\"max_input_chars_per_word\":100,\"vocab\":{{{}}}}}}}",
        vocabulary.join(",")
    );
    let bytes = numbers.len() * size_of::<f32>();
    let header = format!(
        "{{\"embeddings\":{{\"dtype\":\"F32\",\"shape\":[{},{}],\"data_offsets\":[0,{bytes}]}}}}",
        vocabulary.len(),
        topics.len()
    );
    let mut tensors = (header.len() as u64).to_le_bytes().to_vec();
    tensors.extend(header.bytes());
    tensors.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    TinyModel { config: b"{\"normalize\":true}".to_vec(), tokenizer: tokenizer.into_bytes(), tensors }
}
