//! A static embedding model (model2vec): a text's vector is the weighted mean of its tokens' rows, so that embedding a
//! text costs little more than cutting it into tokens.

/// The bytes of a model's files, as model2vec writes them.
#[derive(Debug, Clone, Copy)]
pub struct ModelFiles<'a> {
    /// `config.json`.
    pub config: &'a [u8],
    /// `tokenizer.json`, of the `tokenizers` library.
    pub tokenizer: &'a [u8],
    /// `model.safetensors`: the tensor `embeddings` (f32, f16 or i8, one row for each token), and optionally `weights`
    /// (one for each token) and `mapping` (from token to row).
    pub tensors: &'a [u8],
}

/// Why there is no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// This build cannot embed.
    #[error("this build of rift has no vector ranking; build it with --features vectors, or remove [search.vector]")]
    NotBuilt,
    /// The bytes are no model of a kind that is known.
    #[error("it is no model2vec model: {0}")]
    Unfit(String),
}

/// A model, ready to embed.
#[cfg(feature = "vectors")]
pub struct Model {
    model: model2vec_rs::model::StaticModel,
    max_tokens: usize,
}

/// A model; none can be made by this build.
#[cfg(not(feature = "vectors"))]
pub struct Model(std::convert::Infallible);

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("dimensions", &self.dimensions()).finish_non_exhaustive()
    }
}

#[cfg(feature = "vectors")]
impl Model {
    /// Reads a model. Of each text the first `max_tokens` tokens are embedded.
    ///
    /// # Errors
    /// [`ModelError::Unfit`] when the bytes are not a model, or cannot embed.
    pub fn read(files: ModelFiles<'_>, max_tokens: usize) -> Result<Self, ModelError> {
        let read = || {
            let model =
                model2vec_rs::model::StaticModel::from_bytes(files.tokenizer, files.tensors, files.config, None);
            let model = model.map_err(|error| ModelError::Unfit(format!("{error:#}")))?;
            let model = Self { model, max_tokens };
            // Tables that do not fit each other show when a token is looked up.
            model.embed(&["fn main() {}".to_owned()]).map(|_| model)
        };
        // The bytes are a stranger's; whatever the library makes of them, they are no model.
        caught(read).unwrap_or_else(Err)
    }

    /// The numbers of one vector.
    pub fn dimensions(&self) -> usize {
        self.model.dim()
    }

    /// The vectors of `texts`, one after another, each of length 1, or of zeros where no token is known.
    ///
    /// # Errors
    /// [`ModelError::Unfit`] when the model's tables do not fit each other.
    pub fn embed(&self, texts: &[String]) -> Result<Vec<f32>, ModelError> {
        let mut vectors = caught(|| self.model.encode_flat_with_args(texts, Some(self.max_tokens)))?;
        vectors.chunks_exact_mut(self.dimensions()).for_each(normalise);
        Ok(vectors)
    }
}

#[cfg(not(feature = "vectors"))]
impl Model {
    /// Refuses: this build reads no models.
    ///
    /// # Errors
    /// [`ModelError::NotBuilt`].
    pub fn read(_: ModelFiles<'_>, _: usize) -> Result<Self, ModelError> {
        Err(ModelError::NotBuilt)
    }

    /// The numbers of one vector.
    pub fn dimensions(&self) -> usize {
        match self.0 {}
    }

    /// The vectors of texts.
    ///
    /// # Errors
    /// None: there is no such model.
    pub fn embed(&self, _: &[String]) -> Result<Vec<f32>, ModelError> {
        match self.0 {}
    }
}

/// What `work` gives, a panic of the library's being an error like its others.
#[cfg(feature = "vectors")]
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, ModelError> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).map_err(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panic.downcast_ref::<&str>().map(|said| (*said).to_owned()));
        ModelError::Unfit(said.unwrap_or_else(|| "embedding a text failed".to_owned()))
    })
}

/// Makes a vector one of length 1; one without a direction, or with numbers that are none, becomes one of zeros.
#[cfg(feature = "vectors")]
fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length.is_finite() && length > 1e-6 {
        vector.iter_mut().for_each(|x| *x /= length);
    } else {
        vector.fill(0.0);
    }
}
