# The formula of Homebrew, with VERSION, REPOSITORY and the sums filled in by .ci/packages/homebrew/fill.
class ApidiscTui < Formula
  desc "Shows the part of an API that people use, within a token budget"
  homepage "REPOSITORY"
  version "VERSION"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "REPOSITORY/releases/download/vVERSION/apidisc-tui-aarch64-apple-darwin.tar.gz"
      sha256 "SUM-aarch64-apple-darwin"
    end
    on_intel do
      url "REPOSITORY/releases/download/vVERSION/apidisc-tui-x86_64-apple-darwin.tar.gz"
      sha256 "SUM-x86_64-apple-darwin"
    end
  end

  on_linux do
    on_arm do
      url "REPOSITORY/releases/download/vVERSION/apidisc-tui-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "SUM-aarch64-unknown-linux-gnu"
    end
    on_intel do
      url "REPOSITORY/releases/download/vVERSION/apidisc-tui-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "SUM-x86_64-unknown-linux-gnu"
    end
  end

  def install
    bin.install "apidisc-tui"
    man1.install Dir["man/*.1"]
    generate_completions_from_executable(bin/"apidisc-tui", "completions", shells: [:bash, :zsh, :fish])
  end

  test do
    assert_match "apidisc-tui #{version}", shell_output("#{bin}/apidisc-tui --version")
    assert_match "<svg", shell_output("#{bin}/apidisc-tui --demo --screenshot -")
  end
end
