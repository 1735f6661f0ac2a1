#!/usr/bin/env python3
"""The page that `licit trace` writes, in a browser: what it says, and what it does when it is clicked.

usage: trace_page_test.py TOOL CHROMIUM [--events N] [--screenshot FILE]

Without --events a small trace, whose page is asserted in full; with it a trace of so many events, whose page has to be
drawn and to answer. Drives headless Chromium by its DevTools protocol. Exit status 1 if something is wrong, 77 without
a browser.
"""
import argparse
import base64
import json
import os
import pathlib
import random
import re
import select
import subprocess
import sys
import tempfile
import time

WIDTH, HEIGHT = 1400, 900


class Browser:
    """Headless Chromium with one page. Its messages end with a zero byte, on two pipes."""

    def __init__(self, program, folder):
        to_browser, self.to = os.pipe()
        self.of, from_browser = os.pipe()
        command = [program, "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
                   "--no-first-run", f"--user-data-dir={folder}/profile", f"--window-size={WIDTH},{HEIGHT}"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        # The browser reads from descriptor 3 and writes to 4.
        shell = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(["bash", "-c", shell, "browser", *command, "about:blank"],
                                        pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.bytes, self.calls, self.session, self.requests, self.errors = b"", 0, None, [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False)

    def close(self):
        self.process.kill()
        self.process.wait()

    def message(self):
        while b"\0" not in self.bytes:
            if not select.select([self.of], [], [], 300)[0]:
                raise TimeoutError("the browser has not answered for 300 s")
            got = os.read(self.of, 1 << 20)
            if not got:
                raise ConnectionError("the browser has ended")
            self.bytes += got
        one, self.bytes = self.bytes.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **parameters):
        self.calls += 1
        what = {"id": self.calls, "method": method, "params": parameters}
        if self.session:
            what["sessionId"] = self.session
        os.write(self.to, json.dumps(what).encode() + b"\0")
        while (got := self.message()).get("id") != self.calls:
            if got.get("method") == "Network.requestWillBeSent":
                self.requests.append(got["params"]["request"]["url"])
            if got.get("method") == "Runtime.exceptionThrown":
                self.errors.append(got["params"]["exceptionDetails"])
            if got.get("method") == "Log.entryAdded" and got["params"]["entry"]["level"] == "error":
                self.errors.append(got["params"]["entry"]["text"])
        if "error" in got:
            raise RuntimeError(f"{method}: {got['error']['message']}")
        return got["result"]

    def value(self, expression):
        got = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(f"{expression}: {json.dumps(got['exceptionDetails'])[:500]}")
        return got["result"].get("value")

    def text(self, identifier):
        return self.value(f"document.getElementById('{identifier}').innerText")

    def settle(self):
        """Until the page has drawn and written what it changed."""
        for _ in range(3000):
            if self.value("document.readyState === 'complete' && window.licit !== undefined && licit.settled"):
                return
            time.sleep(0.1)
        raise TimeoutError("the page is not ready after 300 s")

    def open(self, url):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.settle()

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.settle()

    def press(self, name, **more):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name)
        self.settle()

    def click_on(self, selector):
        box = self.value(f"(() => {{ const b = document.querySelector('{selector}').getBoundingClientRect();"
                         "return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        self.click(*box)

    def table(self, identifier):
        """The rows below the heads, as lists of texts."""
        return self.value(f"[...document.getElementById('{identifier}').tBodies[0].rows]"
                          ".map((row) => [...row.cells].map((cell) => cell.innerText))")

    def point(self, lane, ns, within="bars", depth=0):
        """Where a moment of a lane is on the screen."""
        return self.value(f"""(() => {{
            const p = licit.picture, box = document.getElementById('picture').getBoundingClientRect();
            const lane = licit.trace.lanes[{lane}], rows = p.rowHeight(lane);
            const y = '{within}' === 'bars' ? p.y({lane}) + rows * ({depth} + 0.5) : p.y({lane}) + rows * lane.depths + 4;
            return [box.x + p.x({ns}), box.y + y];
        }})()""")

    def colour(self, x, y):
        return self.value(f"""(() => {{
            const picture = document.getElementById('picture'), box = picture.getBoundingClientRect();
            const pixel = picture.getContext('2d').getImageData({x} - box.x, {y} - box.y, 1, 1).data;
            return '#' + [...pixel].slice(0, 3).map((byte) => byte.toString(16).padStart(2, '0')).join('');
        }})()""")

    def range(self):
        return self.value("[licit.picture.from, licit.picture.to]")


class Checks:
    def __init__(self):
        self.wrong = 0
        self.done = 0

    def equal(self, got, wanted, what):
        self.done += 1
        if got != wanted:
            self.wrong += 1
            print(f"{what}: is {got!r}, and should be {wanted!r}", file=sys.stderr)

    def true(self, holds, what):
        self.equal(bool(holds), True, what)


def bar(kind, name, tid, ts, dur, **args):
    return {"ph": "X", "cat": kind, "name": name, "pid": 1, "tid": tid, "ts": ts, "dur": dur, "args": args}


def moment(name, tid, ts, **args):
    return {"ph": "i", "s": "t", "name": name, "pid": 1, "tid": tid, "ts": ts, "args": args}


def heads(workers):
    return [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "small-"}}] + [
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": i, "args": {"name": f"worker {i}"}} for i in range(workers)]


# Worker 0 runs a task whose join waits for its stolen half; worker 1 was asleep, is woken, steals twice.
SMALL = heads(3) + [
    bar("half", "merge", 0, 70, 5, half="0x20", **{"from": 1}),
    bar("wait", "wait", 0, 60, 20, half="0x10"),
    bar("task", "sort <b>&amp;", 0, 0, 100, task="0xa0"),
    moment("wakes", 0, 8, worker=1),
    bar("sleep", "parked", 1, 0, 10),
    moment("steal", 1, 12, items=5, **{"from": 0}),
    bar("task", "run", 1, 12, 8, task="0xb0"),
    bar("half", "stolen half", 1, 30, 48, half="0x10", **{"from": 0}),
    bar("task", "run", 1, 85, 5, task="0xb0"),
    bar("sleep", "parked", 2, 0, 100, still=True),
    moment("takes the driver", 2, 50),
    moment("fires timers", 2, 60, items=3),
    moment("gives the driver away", 2, 70),
    {"ph": "C", "name": "counter", "pid": 1, "tid": 0, "ts": 1, "args": {"n": 1}},
]


def written(tool, folder, events):
    trace = pathlib.Path(folder) / "trace.json"
    with trace.open("w") as out:
        out.write('{"traceEvents": [\n')
        for i, event in enumerate(events):
            out.write((",\n" if i else "") + json.dumps(event))
        out.write("\n]}\n")
    page = trace.with_suffix(".html")
    subprocess.run([tool, "trace", str(trace), "-o", str(page)], check=True, stdout=subprocess.DEVNULL)
    return page


def check_words(browser, check):
    check.equal(browser.text("title"), "Trace of small", "title")
    check.equal(browser.text("summary"), "3 workers, 3 task runs, 13 events, 100 µs. Shown: 100 µs from 0 ns", "summary")
    check.equal(browser.text("notes"), "1 event left out: of phase 'C'.", "notes")
    # runs, waits, parked, searches, task runs, steals, tasks stolen, stolen from it, wakes others, parks
    check.equal(browser.table("workers"), [
        ["all 3", "48.7 %", "5.0 %", "36.7 %", "6.3 %", "3", "3", "7", "7", "1", "2"],
        ["worker 0", "85.0 %", "15.0 %", "0.0 %", "0.0 %", "1", "1", "1", "6", "1", "0"],
        ["worker 1", "61.0 %", "0.0 %", "10.0 %", "19.0 %", "2", "2", "6", "1", "0", "1"],
        ["worker 2", "0.0 %", "0.0 %", "100.0 %", "0.0 %", "0", "0", "0", "0", "0", "1"]], "workers")
    check.equal(browser.table("names"), [
        ["sort <b>&amp;", "1", "100 µs", "100 µs", "100 µs"], ["stolen half", "1", "48 µs", "48 µs", "48 µs"],
        ["wait", "1", "20 µs", "20 µs", "20 µs"], ["run", "2", "13 µs", "6.5 µs", "8 µs"],
        ["merge", "1", "5 µs", "5 µs", "5 µs"]], "names")


def check_pointing(browser, check):
    def tip(where):
        browser.mouse("mouseMoved", *where)
        return browser.text("tip").split("\n")

    check.equal(tip(browser.point(0, 3000)),
                ["sort <b>&amp; on worker 0", "100 µs", "0.000 µs to 100.000 µs", "task 0xa0"], "tip of a task")
    check.equal(tip(browser.point(0, 72000, depth=2)),
                ["merge (stolen half) on worker 0", "5 µs", "70.000 µs to 75.000 µs", "half 0x20",
                 "stolen from worker 1"], "tip of a half")
    check.equal(tip(browser.point(1, 12000, "moments")), ["worker 1 steals 5 tasks from worker 0", "12.000 µs"],
                "tip of a theft")
    for at, what in ((50, "takes the driver: it waits for deadlines and the reactor"), (60, "fires 3 timers"),
                     (70, "gives the driver away")):
        check.equal(tip(browser.point(2, 1000 * at, "moments")), [f"worker 2 {what}", f"{at}.000 µs"], f"tip: {what}")
    check.equal(tip(browser.point(2, 50000))[1], "100 µs, had not ended", "tip of a bar that had not ended")
    arrows = browser.value("licit.picture.drawn.arrows.map((one) => [ARROWS[licit.trace.arrows.kind[one.i]],"
                           "licit.trace.arrows.from[one.i], licit.trace.arrows.to[one.i]])")
    check.equal(sorted(arrows), [["completion", 1, 0], ["steal", 0, 1], ["steal", 0, 1], ["steal", 1, 0],
                                 ["wake", 0, 1]], "arrows")
    wake = browser.value("""(() => { const p = licit.picture, box = document.getElementById('picture').
        getBoundingClientRect(), one = p.drawn.arrows.find((a) => licit.trace.arrows.kind[a.i] === 1);
        return [box.x + (one.x1 + one.x2) / 2, box.y + (one.y1 + one.y2) / 2]; })()""")
    check.equal(tip(wake), ["worker 0 wakes worker 1", "8.000 µs", "2 µs until worker 1 goes on"], "tip of an arrow")
    browser.mouse("mouseMoved", 700, 5)
    check.equal(browser.value("document.getElementById('tip').style.display"), "none", "no tip where nothing is")
    for lane, ns, depth, colour in ((2, 50000, 0, "#dfe3e8"), (0, 62000, 1, "#f2d9a0"), (1, 88000, 0, "#3f72af")):
        x, y = browser.point(lane, ns, depth=depth)
        check.equal(browser.colour(round(x), round(y) + 6), colour, f"colour of lane {lane} at {ns} ns")


def check_moving(browser, check):
    x, y = browser.point(0, 25000)
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-400)
    browser.settle()
    begin, end = browser.range()
    check.true(abs((end - begin) - 100000 / 2.71828) < 10, f"a wheel zooms by e: {begin} to {end}")
    check.true(abs(browser.point(0, 25000)[0] - x) < 0.5, "what is under the mouse stays there")
    browser.mouse("mouseMoved", x, y)
    browser.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
    browser.mouse("mouseMoved", x - 100, y, button="left", buttons=1)
    browser.mouse("mouseReleased", x - 100, y, button="left", clickCount=1)
    browser.settle()
    check.true(abs(browser.point(0, 25000)[0] - (x - 100)) < 0.5, "a drag moves")
    check.equal(browser.text("chosen"), "Click a bar to keep its details here.", "a drag chooses nothing")
    for _ in range(40):
        browser.click_on("#in")
    check.equal(round(browser.range()[1] - browser.range()[0]), 10, "the least range")
    browser.press("0")
    check.equal(browser.range(), [0, 100000], "the key 0 shows the whole")
    browser.press("w")
    check.equal([round(at) for at in browser.range()], [15000, 85000], "the key w zooms")
    browser.press("a")
    check.equal([round(at) for at in browser.range()], [1000, 71000], "the key a moves")
    browser.press("a")
    check.equal([round(at) for at in browser.range()], [0, 70000], "nothing is before the beginning")
    browser.click_on("#whole")
    check.equal(browser.range(), [0, 100000], "the button shows the whole")
    box = browser.value("(() => { const b = document.getElementById('overview').getBoundingClientRect();"
                        "return [b.x + GUTTER, b.y + 20, b.width - GUTTER]; })()")
    browser.mouse("mousePressed", box[0] + 0.2 * box[2], box[1], button="left", buttons=1, clickCount=1)
    browser.mouse("mouseMoved", box[0] + 0.6 * box[2], box[1], button="left", buttons=1)
    browser.mouse("mouseReleased", box[0] + 0.6 * box[2], box[1], button="left", clickCount=1)
    browser.settle()
    check.true(all(abs(a - b) < 200 for a, b in zip(browser.range(), (20000, 60000))), "a drag in the overview")
    check.equal(browser.table("workers")[2][1:4], ["75.0 %", "0.0 %", "0.0 %"], "totals are of the range")
    browser.press("0")


def check_search(browser, check):
    browser.click(*browser.point(1, 15000))
    check.equal(browser.text("chosen").split("\n")[0], "run on worker 1", "a click keeps details")
    browser.click_on("#its-bars")
    check.equal(browser.text("found"), "2 bars, 13 µs", "all bars of a task")
    check.equal(browser.value("location.hash"), "#search=0xb0", "the address keeps the search")
    browser.click_on("#next")
    check.equal(browser.value("licit.picture.chosen"), {"lane": 1, "bar": 3}, "the next match")
    browser.click_on("#next")
    check.equal(browser.value("licit.picture.chosen"), {"lane": 1, "bar": 1}, "after the last comes the first")
    browser.click_on("#previous")
    check.equal(browser.value("licit.picture.chosen"), {"lane": 1, "bar": 3}, "and before the first the last")
    browser.value("document.getElementById('search').select()")
    browser.call("Input.insertText", text="SORT")
    browser.settle()
    check.equal(browser.text("found"), "1 bar, 100 µs", "a name in any case")
    browser.press("Enter", windowsVirtualKeyCode=13)
    check.equal(browser.value("licit.picture.chosen"), {"lane": 0, "bar": 0}, "Enter goes to a match")
    browser.value("document.getElementById('search').select()")
    browser.call("Input.insertText", text="nobody")
    browser.settle()
    check.equal(browser.text("found"), "nothing", "a name that there is not")
    browser.press("Escape")
    check.equal(browser.text("found"), "", "Escape ends the search")
    browser.press("Escape")
    check.equal(browser.text("chosen"), "Click a bar to keep its details here.", "Escape ends the choice")
    browser.click_on("#names a")
    check.equal(browser.text("found"), "1 bar, 100 µs", "a click on a name searches it")
    browser.click_on("#show-steal")
    check.equal(browser.value("licit.picture.drawn.arrows.length"), 2, "arrows without those of steals")


def check_small(browser, check, folder, tool, screenshot):
    page = written(tool, folder, SMALL).as_uri()
    browser.open(page)
    check_words(browser, check)
    check_pointing(browser, check)
    if screenshot:
        picture = browser.call("Page.captureScreenshot")["data"]
        pathlib.Path(screenshot).write_bytes(base64.b64decode(picture))
    check_moving(browser, check)
    check_search(browser, check)
    browser.open(page + "#from=10000&to=30000&search=merge")
    check.equal([round(at) for at in browser.range()], [10000, 30000], "the address has the range")
    check.equal(browser.text("found"), "1 bar, 5 µs", "the address has the search")
    browser.open(page + "#from=nonsense&to=5")
    check.equal(browser.range(), [0, 100000], "an address that means nothing")
    browser.open(written(tool, folder, heads(2)).as_uri())
    check.equal(browser.text("notes"), "The trace has no events: it was written before a task ran.", "an empty trace")


def many(events, workers):
    """Tasks, sleeps, steals and wakes, as a busy program has them."""
    chance = random.Random(1)
    yield from heads(workers)
    at = [0.0] * workers
    for i in range(events):
        worker = i % workers
        other = (worker + 1 + chance.randrange(workers - 1)) % workers
        long = round(chance.expovariate(0.1), 3)
        if i % 10 == 3:
            yield moment("steal", worker, round(at[worker], 3), items=1 + i % 32, **{"from": other})
        elif i % 10 == 7:
            yield moment("wakes", worker, round(at[worker], 3), worker=other)
        elif i % 10 == 5:
            yield bar("sleep", "parked", worker, round(at[worker], 3), long)
        else:
            yield bar("task", f"step {i % 7}", worker, round(at[worker], 3), long, task=hex(0x7f0000000000 + 64 * i))
        at[worker] += long + 0.1


def check_many(browser, check, folder, tool, screenshot, events):
    workers = 16
    browser.open(written(tool, folder, many(events, workers)).as_uri())
    tasks = sum(1 for i in range(events) if i % 10 not in (3, 5, 7))
    check.true(browser.text("summary").startswith(f"{workers} workers, {tasks:,} task runs, {events:,} events, "),
               f"summary: {browser.text('summary')}")
    rows = browser.table("workers")
    check.equal(rows[0][5], f"{tasks:,}", "task runs of all")
    check.equal(rows[0][6], f"{sum(1 for i in range(events) if i % 10 == 3):,}", "steals of all")
    check.equal(rows[0][9], f"{sum(1 for i in range(events) if i % 10 == 7):,}", "wake-ups of all")
    pixels = WIDTH * HEIGHT
    check.true(0 < browser.value("licit.picture.drawn.bars") < pixels / 10, "the drawing depends on the pixels")
    check.true(re.fullmatch(r"[\d,]+ of [\d,]+ arrows drawn", browser.text("arrows")), "arrows are left out, and counted")
    coloured = browser.value("""(() => {
        const picture = document.getElementById('picture'), data = picture.getContext('2d').
            getImageData(GUTTER, AXIS, picture.width - GUTTER, picture.height - AXIS).data;
        let n = 0;
        for (let i = 0; i < data.length; i += 4) n += Math.max(data[i], data[i + 1], data[i + 2]) -
            Math.min(data[i], data[i + 1], data[i + 2]) > 40;
        return n / (data.length / 4);
    })()""")
    check.true(coloured > 0.1, f"bars are drawn: {coloured:.3f} of the picture has colour")
    if screenshot:
        pathlib.Path(screenshot).write_bytes(base64.b64decode(browser.call("Page.captureScreenshot")["data"]))
    x, y = browser.point(0, browser.range()[1] / 2)
    for _ in range(6):
        browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-400)
        browser.settle()
    check.true(browser.range()[1] - browser.range()[0] < browser.value("licit.trace.end") / 400, "zoomed in")
    first = browser.value("(() => { const row = licit.trace.lanes[0].rows[0][TASK], i = row.endingAfter("
                          "licit.picture.time(licit.picture.width / 2)); return (row.begin[i] + row.end[i]) / 2; })()")
    browser.mouse("mouseMoved", *browser.point(0, first))
    check.true(re.match(r"step \d on worker 0\n", browser.text("tip")), f"tip: {browser.text('tip')}")
    browser.value("licit.search('step 3')")
    browser.settle()
    steps = sum(1 for i in range(events) if i % 7 == 3 and i % 10 not in (3, 5, 7))
    check.true(browser.text("found").startswith(f"{steps:,} bars, "), f"found: {browser.text('found')}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("chromium")
    parser.add_argument("--events", type=int, help="so many, instead of the small trace")
    parser.add_argument("--screenshot", help="a picture of the page, for people")
    options = parser.parse_args()
    if not pathlib.Path(options.chromium).exists():
        print("no browser: the Debian package chromium has one")
        return 77
    check = Checks()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(options.chromium, folder)
        try:
            if options.events:
                check_many(browser, check, folder, options.tool, options.screenshot, options.events)
            else:
                check_small(browser, check, folder, options.tool, options.screenshot)
            check.equal([url for url in browser.requests if not url.startswith(("file:", "about:"))], [],
                        "requests to the network")
            check.equal(browser.errors, [], "errors of the page")
        finally:
            browser.close()
    print(f"{check.done} checks, {check.wrong} wrong")
    return 1 if check.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
