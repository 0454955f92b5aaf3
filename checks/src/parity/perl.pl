# The oracle behind the comparison with Perl: the words of each line of bytes, and of the line in lower case, in hexadecimal.
#
# `split ' '` and `lc` over bytes are what the scripts of Moses and NIST do with the text that they are given.
use strict;
use warnings;

binmode STDIN;
binmode STDOUT;
while (my $line = <STDIN>) {
    chomp $line;
    print join(' ', map { unpack 'H*', $_ } split(' ', $line)), "\n";
    print join(' ', map { unpack 'H*', $_ } split(' ', lc $line)), "\n";
}
