# Does with Perl's Mail::DKIM what it is asked to: a JSON object a line comes in, a JSON object a line goes out.
# DNS is answered from the records that come along: nothing is asked outside.

use strict;
use warnings;
use JSON::PP;
use MIME::Base64;
use Crypt::OpenSSL::RSA;
use Mail::DKIM::ARC::Signer;
use Mail::DKIM::ARC::Verifier;
use Mail::DKIM::PrivateKey;
use Mail::DKIM::Signer;
use Mail::DKIM::Verifier;
use Net::DNS;

package TableResolver;

sub new { my ($class, $records) = @_; return bless { records => $records }, $class }
sub errorstring { return 'NOERROR' }

sub send {
    my ($self, $name, $type) = @_;
    my $reply = Net::DNS::Packet->new($name, $type);
    my $found = $type eq 'TXT' ? $self->{records}{lc $name} : undef;
    $reply->header->qr(1);
    $reply->header->rcode($found ? 'NOERROR' : 'NXDOMAIN');
    for my $record (@{ $found || [] }) {
        my @strings = $record =~ /(.{1,255})/gs;
        $reply->push(answer => Net::DNS::RR->new(owner => $name, type => 'TXT', txtdata => \@strings));
    }
    return $reply;
}

sub bgsend { my ($self, @asked) = @_; return $self->send(@asked) }
sub bgread { my ($self, $reply) = @_; return $reply }
sub bgbusy { return 0 }
sub bgisready { return 1 }

package main;

my %does = (
    'versions' => sub { return [$Mail::DKIM::Signer::VERSION] },
    'perl.sign' => sub {
        my ($given) = @_;
        my $key = Crypt::OpenSSL::RSA->new_private_key($given->{pem});
        my $signer = Mail::DKIM::Signer->new(
            Algorithm => 'rsa-sha256',
            Method => $given->{canonicalization},
            Domain => $given->{domain},
            Selector => $given->{selector},
            Key => Mail::DKIM::PrivateKey->load(Cork => $key),
        );
        my $message = decode_base64($given->{message});
        $signer->PRINT($message);
        $signer->CLOSE;
        return encode_base64($signer->signature->as_string . "\r\n" . $message, '');
    },
    'perl.seal' => sub {
        my ($given) = @_;
        my $key = Crypt::OpenSSL::RSA->new_private_key($given->{pem});
        Mail::DKIM::DNS::resolver(TableResolver->new($given->{records}));
        my $signer = Mail::DKIM::ARC::Signer->new(
            Algorithm => 'rsa-sha256',
            Chain => $given->{cv},
            Domain => $given->{domain},
            SrvId => $given->{domain},
            Selector => $given->{selector},
            Key => Mail::DKIM::PrivateKey->load(Cork => $key),
        );
        my $message = decode_base64($given->{message});
        $signer->PRINT("Authentication-Results: $given->{domain}; $given->{results}\r\n" . $message);
        $signer->CLOSE;
        die $signer->result_detail() unless $signer->result() eq 'sealed';
        my $fields = join "\r\n", $signer->as_strings;
        return encode_base64("$fields\r\n" . $message, '');
    },
    'perl.chain' => sub {
        my ($given) = @_;
        Mail::DKIM::DNS::resolver(TableResolver->new($given->{records}));
        my $verifier = Mail::DKIM::ARC::Verifier->new();
        $verifier->PRINT(decode_base64($given->{message}));
        $verifier->CLOSE;
        return $verifier->result;
    },
    'perl.verify' => sub {
        my ($given) = @_;
        Mail::DKIM::DNS::resolver(TableResolver->new($given->{records}));
        my $verifier = Mail::DKIM::Verifier->new();
        $verifier->PRINT(decode_base64($given->{message}));
        $verifier->CLOSE;
        return [map { [$_->result, $_->domain] } $verifier->signatures];
    },
);

$| = 1;
while (my $line = <STDIN>) {
    my $given = decode_json($line);
    my $answer = eval { { answer => $does{ $given->{op} }->($given) } } || { failed => "$@" };
    print encode_json($answer), "\n";
}
