#!/bin/sh
# usage: http_server.sh SERVER FOLDER DRIVER
# Examples' http_server, by curl, ab and wrk. FOLDER is made anew. DRIVER is what the server has as --driver. A client
# that is missing fails.
set -eu
server=$1 room=$2 driver=$3
rm -rf "$room"
mkdir -p "$room/files/deeper"
cd "$room"
for client in curl ab wrk; do
  command -v $client >/dev/null || { echo "http_server.sh: $client is not installed" >&2; exit 2; }
done
printf 'hello\n' >files/a.txt
printf '<p>home\n' >files/index.html
printf 'secret\n' >secret
ln -s ../secret files/link
ln -s .. files/deeper/up
mkfifo files/fifo
head -c 3000000 /dev/urandom >files/large
head -c 100000 /dev/urandom >body
head -c 2000000 /dev/zero >too-large

pid= drive=
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || :' EXIT
start() {  # options...
  : >out  # the last server's address is not this one's
  "$server" files $drive "$@" >out 2>err &
  pid=$!
  for _ in $(seq 200); do
    url=$(head -n 1 out)
    [ -z "$url" ] || return 0
    sleep 0.05
  done
  fail "the server does not start"
}
stop() {
  kill -TERM $pid
  status=0
  wait $pid || status=$?
  pid=
  [ $status = 0 ] || fail "the server ended with status $status"
  grep -q '^[0-9]* requests; 0 tasks are left$' out || fail "the server's last line"
}
fail() {
  echo "http_server.sh: $*" >&2
  cat out err >&2
  exit 1
}
get() { curl -sS --max-time 20 --path-as-is "$@"; }
is() {  # status, what, options of curl...
  expected=$1 what=$2
  shift 2
  got=$(get -o answer -w '%{http_code}' "$@") || got="$got, curl: $?"
  [ "$got" = "$expected" ] || fail "$what: $got, and should be $expected"
  ! grep -q secret answer || fail "$what: the secret is out"
}

# The main thread, two workers, and the driver, if it is a thread of its own. By default it is none.
threads_are() { [ "$(ls /proc/$pid/task | wc -l)" = "$1" ] || fail "$1 threads: $(cat /proc/$pid/task/*/comm)"; }
start --workers 2
threads_are 3
stop
drive="--driver $driver"
start --workers 2
threads_are $([ "$driver" = thread ] && echo 4 || echo 3)
get "${url}a.txt" | cmp - files/a.txt
get "$url" | cmp - files/index.html
get "${url}large" | cmp - files/large
get --http1.0 "${url}a.txt?query#fragment" | cmp - files/a.txt
get "${url}a%2Etxt" | cmp - files/a.txt
get --data-binary @body "${url}echo" | cmp - body
get -H Expect:\ 100-continue --data-binary @body "${url}echo" | cmp - body
[ "$(get -I "${url}large" | tr -d '\r' | grep -i '^content-length')" = "Content-Length: 3000000" ] || fail "HEAD"

is 404 "a file that is not there" "${url}none"
is 404 "a folder" "${url}deeper"
is 404 "a link" "${url}link"
is 404 "a link to a folder" "${url}deeper/up/secret"
is 404 "a FIFO" "${url}fifo"
is 400 "a path out" "${url}../secret"
is 400 "a path out, further in" "${url}deeper/../../secret"
is 400 "a path out, written otherwise" "${url}%2e%2e/secret"
is 400 "a name with a slash" "${url}..%2fsecret"
is 400 "a zero in a name" "${url}a.txt%00"
is 400 "half a percent sign" "${url}a%2"
is 404 "a post elsewhere" --data-binary x "${url}a.txt"
is 405 "another method" -X DELETE "${url}a.txt"
is 413 "a large body" -H Expect: --data-binary @too-large "${url}echo"
is 431 "a large head" -H "X: $(head -c 9000 /dev/zero | tr '\0' x)" "${url}a.txt"
is 501 "chunks" -H "Transfer-Encoding: chunked" --data-binary @body "${url}echo"
is 400 "two lengths" -H "Content-Length: 3" -H "Content-length: 4" -X POST "${url}echo"

# One connection for several requests.
[ "$(get -o /dev/null -o /dev/null -w '%{num_connects}' "${url}a.txt" "${url}large")" = 10 ] || fail "keep-alive"

clients() {  # requests, connections, options of ab...
  requests=$1 connections=$2
  shift 2
  ab -q "$@" -n "$requests" -c "$connections" "${url}a.txt" >ab.txt 2>&1 || fail "ab: $(cat ab.txt)"
  grep -q "^Complete requests: *$requests\$" ab.txt && grep -q '^Failed requests: *0$' ab.txt || fail "ab: $(cat ab.txt)"
}
clients 2000 64 -k
wrk -t 1 -c 32 -d 1s --timeout 60s "${url}a.txt" >wrk.txt 2>&1
grep -q ' requests in ' wrk.txt && ! grep -q -e 'Socket errors' -e 'Non-2xx' wrk.txt || fail "wrk: $(cat wrk.txt)"
talk() {  # a program over `connect()`, which is a new connection
  python3 -c "import socket
def connect():
  return socket.create_connection(('127.0.0.1', port), 10)
port = int('$url'.rsplit(':', 1)[1].strip('/'))
$1"
}
talk "
one = connect()
one.sendall(b'GET /a.txt HTTP/1.1\r\n\r\n' * 3 + b'GET /a.txt HTTP/1.0\r\n\r\n')
answers = b''.join(iter(lambda: one.recv(65536), b''))
assert answers.count(b'HTTP/1.1 200 OK') == 4 and answers.count(b'hello') == 4, answers
" || fail "pipelined requests"
# Clients that are there, and say nothing, when the server ends; one that goes in the middle of an answer.
rm -f ready
talk "
import time
silent = [connect() for _ in range(3)]
silent[0].sendall(b'GET / HT')
gone = connect()
gone.sendall(b'GET /large HTTP/1.1\r\n\r\n')
gone.recv(1)
gone.close()
open('ready', 'w').close()
time.sleep(20)
" &
talker=$!
for _ in $(seq 400); do [ -e ready ] && break; sleep 0.05; done
[ -e ready ] || fail "the silent clients did not connect"
stop
kill $talker 2>/dev/null || :

# More clients than there is room for: they wait for one another. More than there are file descriptors: it goes on.
start --workers 2 --connections 8
clients 500 32
stop
descriptors=$(ulimit -S -n)
ulimit -S -n 24
start --workers 2
ulimit -S -n "$descriptors"
ab -q -n 300 -c 40 "${url}a.txt" >ab.txt 2>&1 || :  # some may be told that there is no descriptor left
is 200 "a request after that" --retry 5 --retry-all-errors "${url}a.txt"
stop

# Who says nothing is not waited for.
start --workers 1 --patience 1
talk "
one = connect()
one.sendall(b'GET / HT')
assert one.recv(1) == b''
" || fail "a client that says nothing"
stop

status=0
"$server" files --driver nobody >out 2>err || status=$?
[ $status = 2 ] && grep -q -e '--driver is workers or thread' err || fail "--driver nobody: status $status"
