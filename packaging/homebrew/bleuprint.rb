# The formula of a tap: the program of a release.
class Bleuprint < Formula
  desc "Exact, mergeable metrics for generated text"
  homepage "https://REPOSITORY"
  version "0.1.0"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://REPOSITORY/releases/download/v0.1.0/bleuprint-aarch64-apple-darwin.tar.gz"
      sha256 "SHA256"
    end
    on_intel do
      url "https://REPOSITORY/releases/download/v0.1.0/bleuprint-x86_64-apple-darwin.tar.gz"
      sha256 "SHA256"
    end
  end
  on_linux do
    on_arm do
      url "https://REPOSITORY/releases/download/v0.1.0/bleuprint-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "SHA256"
    end
    on_intel do
      url "https://REPOSITORY/releases/download/v0.1.0/bleuprint-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "SHA256"
    end
  end

  def install
    bin.install "bleuprint"
    generate_completions_from_executable(bin/"bleuprint", "completions")
    man1.mkpath
    system bin/"bleuprint", "man", "--output", man1
  end

  test do
    (testpath/"text").write "The dog bit the man.\n"
    assert_equal "100.0", shell_output("#{bin}/bleuprint score text -i text -b").strip
  end
end
