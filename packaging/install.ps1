# Installs the program of a release: install.ps1 [-Folder FOLDER] [-Version X.Y.Z].
param(
    [string]$Folder = "$env:LOCALAPPDATA\bleuprint\bin",
    [string]$Version = "0.1.0",
    [string]$Repository = "https://REPOSITORY"
)
$ErrorActionPreference = "Stop"
$machine = if ($env:PROCESSOR_ARCHITECTURE -eq "ARM64") { "aarch64" } else { "x86_64" }
$name = "bleuprint-$machine-pc-windows-msvc"
$below = New-Item -ItemType Directory -Path (Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid()))
try {
    foreach ($file in "$name.tar.gz", "SHA256SUMS") {
        Invoke-WebRequest "$Repository/releases/download/v$Version/$file" -OutFile (Join-Path $below $file)
    }
    $archive = Join-Path $below "$name.tar.gz"
    $wanted = (Select-String -Path (Join-Path $below "SHA256SUMS") -Pattern " $name.tar.gz$").Line.Split(" ")[0]
    if ((Get-FileHash $archive -Algorithm SHA256).Hash -ne $wanted) { throw "$name.tar.gz is not the file of the release" }
    tar -xzf $archive -C $below
    New-Item -ItemType Directory -Force -Path $Folder | Out-Null
    Copy-Item (Join-Path $below "$name\bleuprint.exe") $Folder
    & (Join-Path $Folder "bleuprint.exe") --version
} finally {
    Remove-Item -Recurse -Force $below
}
