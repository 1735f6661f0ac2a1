// The trace: what page.cpp wrote into this page, and what is asked of it.
'use strict';

const TASK = 0, SLEEP = 1, HALF = 2, WAIT = 3;
const KINDS = ['task', 'parked', 'stolen half', 'wait'];
const STEAL = 0, SLOT_STEAL = 1, WAKES = 2, SENDS = 3, INJECT = 4, OVERFLOW = 5, FORCED_YIELD = 6, OVERWRITTEN = 7,
      TIMERS = 8, DRIVER_TAKEN = 9, DRIVER_GIVEN = 10;
const ARROWS = ['steal', 'wake', 'send', 'completion'];

/** Numbers of seven bits a byte, the lowest first. */
class Reader {
  constructor(base64) {
    const text = atob(base64);
    this.bytes = new Uint8Array(text.length);
    for (let i = 0; i !== text.length; ++i) this.bytes[i] = text.charCodeAt(i);
    this.at = 0;
  }
  number() {
    let made = 0, unit = 1, byte;
    do {
      byte = this.bytes[this.at++];
      made += (byte & 127) * unit;
      unit *= 128;
    } while (byte > 127);
    return made;
  }
}

/** The first index in [0, n) for which `holds`, which goes on to hold; n if there is none. */
function firstOf(n, holds) {
  let low = 0;
  while (low < n) {
    const middle = (low + n) >>> 1;
    if (holds(middle)) {
      n = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/** Bars that do not overlap, in their order. Answers for any range in O(log n), so that any number can be drawn. */
class Row {
  static block = 16;

  /** `ids` are numbers of bars in `begin` and `end`; without them all are meant. */
  constructor(begin, end, ids) {
    this.ids = ids;
    this.length = ids ? ids.length : begin.length;
    this.begin = ids ? Float64Array.from(ids, (id) => begin[id]) : begin;
    this.end = ids ? Float64Array.from(ids, (id) => end[id]) : end;
    this.sums = new Float64Array(this.length + 1);  // of the durations before
    for (let i = 0; i !== this.length; ++i) this.sums[i + 1] = this.sums[i] + this.end[i] - this.begin[i];
    this.longest = [];  // of each block of 16, of each block of 256, ...
    let below = this.length, of = (i) => this.end[i] - this.begin[i];
    while (below > 1) {
      const level = new Float64Array(Math.ceil(below / Row.block));
      for (let i = 0; i !== below; ++i) {
        const at = Math.floor(i / Row.block);
        level[at] = Math.max(level[at], of(i));
      }
      this.longest.push(level);
      below = level.length;
      of = (i) => level[i];
    }
  }
  /** The first bar that ends after the time. */
  endingAfter(time) { return firstOf(this.length, (i) => this.end[i] > time); }
  /** The first bar that does not begin before the time. */
  beginningAt(time) { return firstOf(this.length, (i) => this.begin[i] >= time); }
  /** How much of the time from `a` to `b` is within bars. */
  covered(a, b) {
    const i = this.endingAfter(a), j = this.beginningAt(b);
    if (i >= j) return 0;
    return this.sums[j] - this.sums[i] - Math.max(0, a - this.begin[i]) - Math.max(0, this.end[j - 1] - b);
  }
  /** Visits the bars of [i, j) that last at least so long; passes over blocks of shorter ones. */
  eachLonger(i, j, least, visit) {
    while (i < j) {
      let next = i, size = Row.block;
      for (const level of this.longest) {
        if (i % size !== 0 || level[i / size] >= least) break;
        next = i + size;
        size *= Row.block;
      }
      if (next !== i) {
        i = next;
        continue;
      }
      if (this.end[i] - this.begin[i] >= least) visit(i);
      ++i;
    }
  }
  id(i) { return this.ids ? this.ids[i] : i; }
}

/** A worker: its bars and moments as columns, and its bars as rows. */
class Lane {
  constructor(reader, heading) {
    this.name = heading.name;
    this.readBars(reader, heading.bars);
    this.readMoments(reader, heading.moments);
    this.depths = 1;
    for (const depth of this.depth) this.depths = Math.max(this.depths, depth + 1);
    this.rows = this.rowsOf(() => true);
    this.inner = this.innermost();
  }
  readBars(reader, n) {
    this.begin = new Float64Array(n);
    this.end = new Float64Array(n);
    this.kind = new Uint8Array(n);
    this.still = new Uint8Array(n);
    this.depth = new Uint32Array(n);
    this.label = new Uint32Array(n);
    this.of = new Float64Array(n);
    this.from = new Int32Array(n);
    for (let i = 0, time = 0; i !== n; ++i) {
      this.begin[i] = time += reader.number();
      this.end[i] = time + reader.number();
      const kind = reader.number();
      this.kind[i] = kind & 3;
      this.still[i] = kind >> 2;
      this.depth[i] = reader.number();
      this.label[i] = reader.number();
      this.of[i] = reader.number();
      this.from[i] = reader.number() - 1;
    }
  }
  readMoments(reader, n) {
    const all = this.moments = {
      length: n,
      at: new Float64Array(n),
      kind: new Uint8Array(n),
      number: new Float64Array(n),
      of: new Float64Array(n),
      other: new Int32Array(n)
    };
    for (let i = 0, time = 0; i !== n; ++i) {
      all.at[i] = time += reader.number();
      all.kind[i] = reader.number();
      all.number[i] = reader.number();
      all.of[i] = reader.number();
      all.other[i] = reader.number() - 1;
    }
  }
  /** The bars for which `which(i)`: rows[depth][kind]. */
  rowsOf(which) {
    const ids = Array.from({length: this.depths}, () => KINDS.map(() => []));
    for (let i = 0; i !== this.begin.length; ++i) {
      if (which(i)) ids[this.depth[i]][this.kind[i]].push(i);
    }
    return ids.map((kinds) => kinds.map((each) => new Row(this.begin, this.end, Int32Array.from(each))));
  }
  /** For each kind the times in which a bar of it is the innermost one. */
  innermost() {
    const begins = KINDS.map(() => []), ends = KINDS.map(() => []), around = [];
    let now = 0;
    const upTo = (time, kind) => {
      if (time <= now) return;
      begins[kind].push(now);
      ends[kind].push(now = time);
    };
    const leave = (time) => {
      while (around.length !== 0 && this.end[around.at(-1)] <= time) {
        const last = around.pop();
        upTo(this.end[last], this.kind[last]);
      }
      if (around.length !== 0) upTo(time, this.kind[around.at(-1)]);
      now = Math.max(now, time);
    };
    for (let i = 0; i !== this.begin.length; ++i) {
      leave(this.begin[i]);
      around.push(i);
    }
    leave(Infinity);
    return KINDS.map((_, kind) => new Row(Float64Array.from(begins[kind]), Float64Array.from(ends[kind])));
  }
  /** How long the worker was in each kind of bar. */
  times(a, b) { return this.inner.map((row) => row.covered(a, b)); }
  /** How long it was in no bar, from its first event to its last one: it searched for work, or was about to sleep. */
  between(a, b) {
    const m = this.moments.at, n = m.length, last = this.inner.map((row) => row.end.at(-1) ?? 0);
    const from = Math.min(this.begin[0] ?? Infinity, n === 0 ? Infinity : m[0]);
    const to = Math.max(...last, n === 0 ? 0 : m[n - 1]);
    const seen = Math.min(b, to) - Math.max(a, from);
    return Math.max(0, seen - this.times(a, b).reduce((x, y) => x + y));
  }
  /** The bar at a time and depth, else the nearest one within the distance; -1 if there is none. */
  barAt(time, depth, distance) {
    let best = -1, nearest = distance;
    for (const row of this.rows[depth] ?? []) {
      const i = row.endingAfter(time);
      for (const each of [i - 1, i]) {
        if (each < 0 || each >= row.length) continue;
        const away = Math.max(0, row.begin[each] - time, time - row.end[each]);
        if (away <= nearest) {
          nearest = away;
          best = row.id(each);
        }
      }
    }
    return best;
  }
}

class Trace {
  constructor(heading, base64) {
    Object.assign(this, heading);
    const reader = new Reader(base64);
    this.lanes = heading.lanes.map((each) => new Lane(reader, each));
    const n = heading.arrows;
    const all = this.arrows = {
      length: n,
      begin: new Float64Array(n),
      end: new Float64Array(n),
      kind: new Uint8Array(n),
      from: new Uint32Array(n),
      to: new Uint32Array(n),
      items: new Float64Array(n),
      longest: 0
    };
    for (let i = 0, time = 0; i !== n; ++i) {
      all.begin[i] = time += reader.number();
      all.end[i] = time + reader.number();
      all.kind[i] = reader.number();
      all.from[i] = reader.number();
      all.to[i] = reader.number();
      all.items[i] = reader.number();
      all.longest = Math.max(all.longest, all.end[i] - time);
    }
    this.tasks = this.lanes.reduce((sum, lane) => sum + lane.kind.reduce((n, kind) => n + (kind === TASK), 0), 0);
  }
  /** Of each worker, in a range: times by kind, and what happened. */
  workers(a, b) {
    const all = this.lanes.map((lane) => ({
                                 name: lane.name,
                                 times: lane.times(a, b),
                                 searches: lane.between(a, b),
                                 tasks: 0,
                                 halves: 0,
                                 steals: 0,
                                 stolen: 0,
                                 lost: 0,
                                 wakes: 0,
                                 sleeps: 0
                               }));
    this.lanes.forEach((lane, index) => {
      const one = all[index];
      for (const kinds of lane.rows) {
        const count = (kind) => Math.max(0, kinds[kind].beginningAt(b) - kinds[kind].endingAfter(a));
        one.tasks += count(TASK);
        one.halves += count(HALF);
        one.sleeps += count(SLEEP);
        const halves = kinds[HALF];
        for (let i = halves.beginningAt(a); i < halves.length && halves.begin[i] <= b; ++i) {
          const from = lane.from[halves.id(i)];
          ++one.steals;
          ++one.stolen;
          if (from >= 0) ++all[from].lost;
        }
      }
      const m = lane.moments;
      for (let i = firstOf(m.length, (i) => m.at[i] >= a); i < m.length && m.at[i] <= b; ++i) {
        if (m.kind[i] === WAKES) ++one.wakes;
        if (m.kind[i] !== STEAL && m.kind[i] !== SLOT_STEAL) continue;
        ++one.steals;
        one.stolen += m.number[i];
        if (m.other[i] >= 0) all[m.other[i]].lost += m.number[i];
      }
    });
    return all;
  }
  /** Of each name, in a range: number of bars, and their time in the range. Not of sleeps. */
  byName(a, b) {
    const all = this.names.map((name, index) => ({name, index, count: 0, time: 0, longest: 0, lane: -1, bar: -1}));
    this.lanes.forEach((lane, index) => {
      for (const row of lane.rows.flatMap((kinds) => [kinds[TASK], kinds[HALF], kinds[WAIT]])) {
        for (let i = row.endingAfter(a); i < row.length && row.begin[i] < b; ++i) {
          const one = all[lane.label[row.id(i)]], whole = row.end[i] - row.begin[i];
          ++one.count;
          one.time += Math.min(row.end[i], b) - Math.max(row.begin[i], a);
          if (whole < one.longest) continue;
          one.longest = whole;
          one.lane = index;
          one.bar = row.id(i);
        }
      }
    });
    return all.filter((one) => one.count !== 0).sort((x, y) => y.time - x.time);
  }
  /** The bars that a query means, as rows[depth][kind] of each lane; null without a query. */
  matches(query) {
    const text = query.trim().toLowerCase();
    if (text === '') return null;
    let which;
    if (/^0x[0-9a-f]+$/.test(text)) {
      const address = Number(text);
      which = (lane, i) => lane.of[i] === address;
    } else {
      const named = this.names.map((name) => name.toLowerCase().includes(text));
      which = (lane, i) => named[lane.label[i]];
    }
    const lanes = this.lanes.map((lane) => lane.rowsOf((i) => which(lane, i)));
    const rows = lanes.flat(2);
    return {
      lanes,
      count: rows.reduce((sum, row) => sum + row.length, 0),
      time: rows.reduce((sum, row) => sum + row.sums[row.length], 0)
    };
  }
  /** The match after, or before, `from` {begin, lane, depth}; beyond the last one it is the first. Null: none. */
  nextMatch(matches, from, forward) {
    const start = from ?? {begin: forward ? -1 : Infinity, lane: -1, depth: 0};
    let best = null;
    matches.lanes.forEach((depths, lane) => depths.forEach((kinds, depth) => {
      const place = lane - start.lane || depth - start.depth;
      const beyond = forward ? place > 0 : place >= 0;  // for a bar that begins at the same time
      for (const row of kinds) {
        const after =
            firstOf(row.length, (i) => row.begin[i] > start.begin || (row.begin[i] === start.begin && beyond));
        const i = forward ? after : after - 1;
        if (i < 0 || i >= row.length) continue;
        const one = {lane, depth, bar: row.id(i), begin: row.begin[i]};
        const order = best === null ? 0 : one.begin - best.begin || one.lane - best.lane || one.depth - best.depth;
        if (best === null || (forward ? order < 0 : order > 0)) best = one;
      }
    }));
    return best ?? (from === null ? null : this.nextMatch(matches, null, forward));
  }
}

/** A duration with a unit that suits it. */
function duration(ns, digits = 3) {
  for (const [unit, name] of [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs']]) {
    if (Math.abs(ns) >= 0.9995 * unit) return `${Number((ns / unit).toPrecision(Math.max(digits, 3)))} ${name}`;
  }
  return `${Math.round(ns)} ns`;
}

/** A moment to the nanosecond. */
function moment(ns) {
  return `${(ns / 1000).toLocaleString('en', {minimumFractionDigits: 3, maximumFractionDigits: 3})} µs`;
}

const address = (of) => `0x${of.toString(16)}`;
const count = (n) => n.toLocaleString('en');
const plural = (n, noun) => `${count(n)} ${noun}${n === 1 ? '' : 's'}`;
