use std::path::Path;

fn main() -> std::io::Result<()> {
    let config = example_shop::config::load_config(Path::new("shop.conf"))?;
    println!("listening on {}", config.port);
    Ok(())
}
