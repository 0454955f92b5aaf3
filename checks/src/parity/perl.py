# The oracle behind the comparison with Perl: the words of each line of bytes, and of the line in lower case, in hexadecimal.
#
# `split ' '` and `lc` over bytes are what the scripts of Moses and NIST do with the text that they are given.
import shutil
import subprocess

SCRIPT = r"""
use strict;
use warnings;

binmode STDIN;
binmode STDOUT;
while (my $line = <STDIN>) {
    chomp $line;
    print join(' ', map { unpack 'H*', $_ } split(' ', $line)), "\n";
    print join(' ', map { unpack 'H*', $_ } split(' ', lc $line)), "\n";
}
"""

perl = shutil.which("perl")


def words(lines):
    given = "".join(f"{line}\n" for line in lines).encode()
    run = subprocess.run([perl, "-e", SCRIPT], input=given, stdout=subprocess.PIPE, check=True)
    words = run.stdout.decode().split("\n")
    return list(zip(words[:-1:2], words[1::2]))


serve({"programs": {"perl": perl}}, words)
