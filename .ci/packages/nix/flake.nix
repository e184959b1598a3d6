# Builds the program from this repository: nix run "github:OWNER/apidisc-tui?dir=.ci/packages/nix"
{
  description = "Shows the part of an API that people use, within a token budget";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forEach = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      root = ../../..;
      manifest = builtins.fromTOML (builtins.readFile (root + "/Cargo.toml"));
    in
    {
      packages = forEach (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "apidisc-tui";
          version = manifest.workspace.package.version;
          src = root;
          cargoLock.lockFile = root + "/Cargo.lock";
          buildType = "dist";
          env.APIDISC_COMMIT = self.rev or "";
          nativeBuildInputs = [ pkgs.installShellFiles ];
          # The tests need Python, Node, shells and a browser.
          doCheck = false;
          postInstall = ''
            for shell in bash zsh fish; do
              $out/bin/apidisc-tui completions $shell > apidisc-tui.$shell
            done
            installShellCompletion --bash apidisc-tui.bash --zsh apidisc-tui.zsh --fish apidisc-tui.fish
            $out/bin/apidisc-tui man > apidisc-tui.1
            installManPage apidisc-tui.1
          '';
          meta = {
            description = manifest.package.description;
            license = with pkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "apidisc-tui";
          };
        };
      });
    };
}
