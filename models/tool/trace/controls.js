// What the reader of the page does: zoom and move, point and choose, search. What the page answers in words: details,
// totals.
'use strict';

const $ = (id) => document.getElementById(id);

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return Object.assign(made, attributes);
}

const MEANINGS = {
  'runs': 'in tasks and stolen halves',
  'waits': 'in joins that wait for their stolen half, and run nothing meanwhile',
  'parked': 'asleep',
  'searches': 'in no bar between its first event and its last: it looks for work, or is about to sleep',
  'steals': 'thefts from queues, slots and joins',
  'tasks stolen': 'tasks and halves that these thefts brought',
  'time in range': 'with the bars that lie within',
  'longest': 'the longest bar of the name, also outside of the range'
};

class Page {
  constructor(trace) {
    this.trace = trace;
    this.picture = new Picture(trace, $('picture'), $('overview'));
    $('space').style.height = '0';
    this.query = '';
    this.drag = null;
    this.writeHeading();
    this.writeLegend();
    this.listen();
    this.readAddress();
    this.changed();
  }

  // --- the range

  /** Shows this range, at least 10 ns of the trace. */
  show(from, to) {
    const p = this.picture, end = Math.max(1, this.trace.end), least = Math.min(10, end);
    const long = Math.max(least, Math.min(end, to - from));
    p.from = Math.max(0, Math.min(end - long, to - from < least ? (from + to - least) / 2 : from));
    p.to = p.from + long;
    this.changed();
  }
  /** The time at x stays where it is. */
  zoom(factor, x = (GUTTER + this.picture.width) / 2) {
    const p = this.picture, at = p.time(Math.max(GUTTER, x));
    this.show(at - (at - p.from) * factor, at + (p.to - at) * factor);
  }
  move(share) {
    const p = this.picture, by = (p.to - p.from) * share;
    const room = by < 0 ? Math.max(by, -p.from) : Math.min(by, Math.max(0, this.trace.end - p.to));
    this.show(p.from + room, p.to + room);
  }
  showBar(lane, bar, zoomed) {
    const p = this.picture, of = this.trace.lanes[lane], long = of.end[bar] - of.begin[bar];
    const middle = (of.begin[bar] + of.end[bar]) / 2, seen = long / p.perPixel;
    const whole = zoomed ? 1.4 * long : seen < 3 || seen > p.width ? 30 * long : p.to - p.from;
    const isInside = of.begin[bar] >= p.from && of.end[bar] <= p.to;
    const y = p.tops[lane];
    if (y < p.scroll + AXIS || y + p.laneHeight(of) > p.scroll + p.height) $('lanes').scrollTop = y - AXIS - 40;
    if (zoomed || !isInside || seen < 3) this.show(middle - whole / 2, middle + whole / 2);
  }

  /** Draws in the next frame, and soon afterwards what takes longer. */
  changed() {
    this.settled = false;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.picture.scroll = $('lanes').scrollTop;
      this.picture.draw();
      $('space').style.height = `${Math.max(0, this.picture.total - this.picture.height)}px`;
      clearTimeout(this.later);
      this.later = setTimeout(() => {
        this.writeTotals();
        this.writeAddress();
        this.settled = true;
      }, 120);
      this.writeSummary();
    });
  }

  // --- the address: range and search, so that a view can be passed on

  readAddress() {
    const all = new URLSearchParams(location.hash.slice(1));
    const from = Number(all.get('from') ?? 0), to = Number(all.get('to') ?? this.trace.end);
    if (Number.isFinite(from) && Number.isFinite(to) && to > from) this.show(from, to);
    $('search').value = all.get('search') ?? '';
    this.search($('search').value);
  }
  writeAddress() {
    const p = this.picture, all = new URLSearchParams();
    if (p.from > 0 || p.to < this.trace.end) {
      all.set('from', Math.round(p.from));
      all.set('to', Math.round(p.to));
    }
    if (this.query !== '') all.set('search', this.query);
    const hash = all.toString();
    if (location.hash.slice(1) === hash) return;
    history.replaceState(null, '', hash === '' ? location.pathname + location.search : `#${hash}`);
  }

  // --- words

  writeHeading() {
    const t = this.trace, notes = [];
    $('title').textContent = t.title === '' ? 'Trace' : `Trace of ${t.title.replace(/-$/, '')}`;
    if (t.events === 0) notes.push('The trace has no events: it was written before a task ran.');
    if (t.overwritten !== 0) {
      notes.push(
          `${plural(t.overwritten, 'older event')} had been overwritten when the trace was written: a larger ` +
          'scheduler_options::trace_events keeps more.');
    }
    for (const [what, n] of Object.entries(t.leftOut)) notes.push(`${plural(n, 'event')} left out: ${what}.`);
    $('notes').textContent = notes.join(' ');
  }
  writeSummary() {
    const t = this.trace, p = this.picture;
    $('arrows').textContent = p.drawn.arrows.length < p.drawn.ofArrows ?
        `${count(p.drawn.arrows.length)} of ${count(p.drawn.ofArrows)} arrows drawn` :
        '';
    $('summary').textContent = `${plural(t.lanes.length, 'worker')}, ${plural(t.tasks, 'task run')}, ` +
        `${plural(t.events, 'event')}, ${duration(t.end)}. Shown: ${duration(p.to - p.from)} from ` +
        `${duration(p.from, 6)}`;
  }
  writeLegend() {
    const add = (text, colour, kind) => {
      const label = element('label');
      if (kind) {
        const box = element('input', undefined, {type: 'checkbox', checked: true, id: `show-${kind}`});
        box.addEventListener('change', () => {
          box.checked ? this.picture.hidden.delete(kind) : this.picture.hidden.add(kind);
          this.changed();
        });
        label.append(box);
      }
      const mark = element('i');
      mark.style.background = colour;
      label.append(mark, text);
      $('legend').append(label);
    };
    add('run', PALETTE[0]);
    if (this.trace.lanes.some((lane) => lane.kind.includes(HALF))) {
      add('stolen half', HALF_COLOUR);
      add('wait', 'var(--wait)');
    }
    add('parked', 'var(--sleep)');
    for (const [kind, name] of [['steal', 'steals'], ['wake', 'wakes'], ['send', 'sends'], ['completion', 'joins']]) {
      if (this.trace.arrows.kind.includes(ARROWS.indexOf(kind))) add(name, `var(--${kind})`, kind);
    }
  }

  /** Lines of text about a bar. */
  aboutBar(index, bar) {
    const lane = this.trace.lanes[index], kind = lane.kind[bar], name = this.trace.names[lane.label[bar]];
    const lines = [
      `${name}${name === KINDS[kind] || kind === TASK ? '' : ` (${KINDS[kind]})`} on ${lane.name}`,
      `${duration(lane.end[bar] - lane.begin[bar], 4)}${lane.still[bar] ? ', had not ended' : ''}`,
      `${moment(lane.begin[bar])} to ${moment(lane.end[bar])}`
    ];
    if (lane.of[bar] !== 0) lines.push(`${kind === TASK ? 'task' : 'half'} ${address(lane.of[bar])}`);
    if (lane.from[bar] >= 0) lines.push(`stolen from ${this.trace.lanes[lane.from[bar]].name}`);
    return lines;
  }
  aboutMoment(index, i) {
    const m = this.trace.lanes[index].moments, own = this.trace.lanes[index].name, n = m.number[i];
    const other = m.other[i] >= 0 ? this.trace.lanes[m.other[i]].name : 'another worker';
    const what = [
      `${own} steals ${plural(n, 'task')} from ${other}`, `${own} steals the task in the slot of ${other}`,
      `${own} wakes ${other}`, `${own} sends a bound task to ${other}`,
      `${own} takes ${plural(n, 'task')} from the inject queue`,
      `${own}'s queue is full: ${plural(n, 'task')} go to the inject queue`,
      `the task ${address(m.of[i])} on ${own} has used up its budget`,
      `${plural(n, 'event')} of ${own} before this were overwritten`,
      `${own} fires ${plural(n, 'timer')}`,
      `${own} takes the driver: it waits for deadlines and the reactor`, `${own} gives the driver away`
    ][m.kind[i]];
    return [what, moment(m.at[i])];
  }
  aboutArrow(i) {
    const all = this.trace.arrows, from = this.trace.lanes[all.from[i]].name, to = this.trace.lanes[all.to[i]].name;
    const what = [
      `${to} steals ${plural(all.items[i], 'task')} from ${from}`, `${from} wakes ${to}`,
      `${from} sends a bound task to ${to}`, `${from} has run the half that ${to} waits for`
    ][all.kind[i]];
    const lines = [what, moment(all.begin[i])];
    if (all.end[i] > all.begin[i]) lines.push(`${duration(all.end[i] - all.begin[i])} until ${to} goes on`);
    return lines;
  }

  writeTotals() {
    const p = this.picture, whole = p.to - p.from;
    const share = (time) => `${(100 * time / whole).toFixed(1)} %`;
    const workers = this.trace.workers(p.from, p.to);
    const cells = (one, n) =>
        [share((one.times[TASK] + one.times[HALF]) / n), share(one.times[WAIT] / n), share(one.times[SLEEP] / n),
         share(one.searches / n), count(one.tasks), count(one.steals), count(one.stolen), count(one.lost),
         count(one.wakes), count(one.sleeps)];
    const table = this.table(
        'Workers, in the range shown',
        [
          '', 'runs', 'waits', 'parked', 'searches', 'task runs', 'steals', 'tasks stolen', 'stolen from it',
          'wakes others', 'parks'
        ],
        'workers');
    const sum = {times: [0, 0, 0, 0], searches: 0, tasks: 0, steals: 0, stolen: 0, lost: 0, wakes: 0, sleeps: 0};
    for (const one of workers) {
      one.times.forEach((time, kind) => sum.times[kind] += time);
      for (const key of ['searches', 'tasks', 'steals', 'stolen', 'lost', 'wakes', 'sleeps']) sum[key] += one[key];
    }
    const all = this.row(table, [`all ${workers.length}`, ...cells(sum, Math.max(1, workers.length))]);
    all.className = 'sum';
    for (const one of workers) this.row(table, [one.name, ...cells(one, 1)]);
    $('totals').replaceChildren(table, this.namesTable());
  }
  namesTable() {
    const p = this.picture, all = this.trace.byName(p.from, p.to);
    const table = this.table('Names, in the range shown', ['', 'bars', 'time in range', 'mean', 'longest'], 'names');
    for (const one of all.slice(0, 100)) {
      const row = this.row(table, ['', count(one.count), duration(one.time), duration(one.time / one.count), '']);
      const lane = this.trace.lanes[one.lane], mark = element('i');
      mark.style.background = p.colourOf(lane, one.bar);
      const name = element('a', one.name === '' ? '(empty name)' : one.name, {title: 'Search for it', tabIndex: 0});
      name.addEventListener('click', () => this.search($('search').value = one.name));
      row.cells[0].append(mark, name);
      const longest = element('a', duration(one.longest), {title: 'Show it', tabIndex: 0});
      longest.addEventListener('click', () => this.choose(one.lane, one.bar, true));
      row.cells[4].append(longest);
    }
    if (all.length > 100) this.row(table, [`and ${count(all.length - 100)} more`, '', '', '', '']);
    return table;
  }
  table(caption, heads, id) {
    const table = element('table', undefined, {id});
    table.append(element('caption', caption));
    const row = table.createTHead().insertRow();
    for (const head of heads) row.append(element('th', head, {title: MEANINGS[head] ?? ''}));
    table.append(element('tbody'));
    return table;
  }
  row(table, texts) {
    const row = table.tBodies[0].insertRow();
    for (const text of texts) row.append(element('td', text));
    return row;
  }

  // --- choosing and searching

  choose(lane, bar, shown) {
    this.picture.chosen = {lane, bar};
    const lines = this.aboutBar(lane, bar), parts = [element('b', lines[0])];
    for (const line of lines.slice(1)) parts.push(element('span', line));
    const of = this.trace.lanes[lane].of[bar];
    if (of !== 0) {
      const all = element('button', 'All its bars', {id: 'its-bars'});
      all.addEventListener('click', () => this.search($('search').value = address(of)));
      parts.push(all);
    }
    $('chosen').replaceChildren(...parts);
    if (shown) this.showBar(lane, bar, false);
    this.changed();
  }
  forget() {
    this.picture.chosen = null;
    $('chosen').textContent = 'Click a bar to keep its details here.';
    this.changed();
  }
  search(query) {
    this.query = query.trim();
    const found = this.picture.matches = this.trace.matches(query);
    $('found').textContent = found === null ? '' :
        found.count === 0                   ? 'nothing' :
                                              `${plural(found.count, 'bar')}, ${duration(found.time)}`;
    this.changed();
  }
  go(forward) {
    const found = this.picture.matches;
    if (found === null || found.count === 0) return;
    const chosen = this.picture.chosen, lane = chosen && this.trace.lanes[chosen.lane];
    const from = chosen && {begin: lane.begin[chosen.bar], lane: chosen.lane, depth: lane.depth[chosen.bar]};
    const next = this.trace.nextMatch(found, from, forward);
    this.choose(next.lane, next.bar, true);
  }

  // --- pointing

  /** What is at a point of the picture: lines of text, and the bar if it is one. Null: nothing. */
  at(x, y) {
    const p = this.picture, index = p.laneAt(y);
    if (x < GUTTER || y < AXIS) return null;
    if (index >= 0 && index < this.trace.lanes.length) {
      const lane = this.trace.lanes[index], below = y - p.y(index), rows = p.rowHeight(lane);
      const depth = Math.floor(below / rows), time = p.time(x);
      if (below >= 0 && depth < lane.depths) {
        const bar = lane.barAt(time, depth, 3 * p.perPixel);
        if (bar >= 0) return this.atBar(index, bar, x);
      } else if (below >= 0) {
        const m = lane.moments, i = firstOf(m.length, (k) => m.at[k] >= time);
        const near = [i - 1, i].filter((k) => k >= 0 && k < m.length && Math.abs(p.x(m.at[k]) - x) < 5);
        near.sort((a, b) => Math.abs(m.at[a] - time) - Math.abs(m.at[b] - time));
        if (near.length !== 0) return {lines: this.aboutMoment(index, near[0])};
      }
    }
    const arrow = p.drawn.arrows.find((one) => (y - one.y1) * (y - one.y2) <= 0 && this.distance(one, x, y) < 4);
    return arrow === undefined ? null : {lines: this.aboutArrow(arrow.i)};
  }
  /** Roughly: the arrow as two verticals and a line across the middle. */
  distance(one, x, y) {
    const share = (y - one.y1) / (one.y2 - one.y1 || 1), smooth = share * share * (3 - 2 * share);
    return Math.abs(one.x1 + (one.x2 - one.x1) * smooth - x);
  }
  atBar(index, bar, x) {
    const p = this.picture, lane = this.trace.lanes[index], lines = this.aboutBar(index, bar);
    const a = p.time(Math.floor(x)), b = a + p.perPixel;
    const here =
        lane.rows[lane.depth[bar]].reduce((n, row) => n + Math.max(0, row.beginningAt(b) - row.endingAfter(a)), 0);
    if (here > 1) lines.push(`one of ${count(here)} bars in this pixel column: zoom in`);
    return {lines, lane: index, bar};
  }
  point(event) {
    const box = $('picture').getBoundingClientRect(), tip = $('tip');
    const found = this.at(event.clientX - box.left, event.clientY - box.top);
    tip.style.display = found === null ? 'none' : 'block';
    if (found === null) return;
    tip.textContent = found.lines.join('\n');
    const left = event.clientX + 14, top = event.clientY + 16;
    tip.style.left = `${Math.min(left, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${top + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 10 : top}px`;
  }

  // --- events

  listen() {
    const picture = $('picture');
    const x = (event) => event.clientX - picture.getBoundingClientRect().left;
    picture.addEventListener('wheel', (event) => {
      event.preventDefault();
      const across = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (across) {
        this.move((event.deltaX || event.deltaY) / 1000);
      } else {
        this.zoom(Math.exp(event.deltaY / 400), x(event));
      }
    }, {passive: false});
    picture.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.drag = {x: event.clientX, y: event.clientY, moved: false};
      picture.setPointerCapture(event.pointerId);
    });
    picture.addEventListener('pointermove', (event) => this.drag === null ? this.point(event) : this.dragged(event));
    picture.addEventListener('pointerup', (event) => {
      const moved = this.drag?.moved;
      this.drag = null;
      picture.classList.remove('dragged');
      if (moved !== false) return;
      const box = picture.getBoundingClientRect(), found = this.at(x(event), event.clientY - box.top);
      found?.bar === undefined ? this.forget() : this.choose(found.lane, found.bar, false);
    });
    picture.addEventListener('pointerleave', () => $('tip').style.display = 'none');
    picture.addEventListener('dblclick', (event) => {
      const box = picture.getBoundingClientRect(), found = this.at(x(event), event.clientY - box.top);
      if (found?.bar !== undefined) this.showBar(found.lane, found.bar, true);
    });
    this.listenToOverview();
    $('search').addEventListener('input', () => this.search($('search').value));
    $('search').addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.go(!event.shiftKey);
      if (event.key === 'Escape') this.search($('search').value = '');
      if (event.key === 'Escape') $('lanes').focus();
    });
    const clicks = {
      next: () => this.go(true), previous: () => this.go(false), in: () => this.zoom(0.5), out: () => this.zoom(2),
      whole: () => this.show(0, this.trace.end), how: () => $('help').showModal()
    };
    for (const [id, act] of Object.entries(clicks)) $(id).addEventListener('click', act);
    $('help').addEventListener('click', () => $('help').close());
    $('lanes').addEventListener('scroll', () => this.changed());
    new ResizeObserver(() => this.changed()).observe($('lanes'));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.changed());
    addEventListener('hashchange', () => this.readAddress());
    addEventListener('keydown', (event) => this.key(event));
  }
  dragged(event) {
    const by = event.clientX - this.drag.x;
    if (!this.drag.moved && Math.abs(by) + Math.abs(event.clientY - this.drag.y) < 4) return;
    this.drag.moved = true;
    $('tip').style.display = 'none';
    $('picture').classList.add('dragged');
    this.move(-by / (this.picture.width - GUTTER));
    $('lanes').scrollTop -= event.clientY - this.drag.y;
    this.drag.x = event.clientX;
    this.drag.y = event.clientY;
  }
  listenToOverview() {
    const overview = $('overview');
    const time = (event) => {
      const box = overview.getBoundingClientRect();
      const share = (event.clientX - box.left - GUTTER) / (box.width - GUTTER);
      return Math.max(0, Math.min(1, share)) * this.trace.end;
    };
    let from = null;
    overview.addEventListener('pointerdown', (event) => {
      from = time(event);
      overview.setPointerCapture(event.pointerId);
    });
    overview.addEventListener('pointermove', (event) => {
      if (from === null) return;
      const to = time(event);
      if (Math.abs(to - from) > this.trace.end / 1000) this.show(Math.min(from, to), Math.max(from, to));
    });
    overview.addEventListener('pointerup', (event) => {
      const to = time(event), half = (this.picture.to - this.picture.from) / 2;
      if (from !== null && Math.abs(to - from) <= this.trace.end / 1000) this.show(to - half, to + half);
      from = null;
    });
  }
  key(event) {
    if (event.target === $('search') || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = {
      w: () => this.zoom(0.7),
      '+': () => this.zoom(0.7),
      s: () => this.zoom(1.4),
      '-': () => this.zoom(1.4),
      a: () => this.move(-0.2),
      ArrowLeft: () => this.move(-0.2),
      d: () => this.move(0.2),
      ArrowRight: () => this.move(0.2),
      ArrowUp: () => $('lanes').scrollTop -= 60,
      ArrowDown: () => $('lanes').scrollTop += 60,
      0: () => this.show(0, this.trace.end),
      Home: () => this.show(0, this.trace.end),
      '/': () => $('search').select(),
      '?': () => $('help').showModal(),
      Escape: () => this.forget()
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act === undefined || $('help').open) return;
    event.preventDefault();
    act();
  }
}

// For whoever looks into the page from outside, such as its tests.
window.licit = new Page(new Trace(JSON.parse($('heading').textContent), $('data').textContent));
