// Drawing: the overview, and the lanes with bars, moments and arrows. The number of rectangles depends on the number of
// pixels, not of bars.
'use strict';

const GUTTER = 136, AXIS = 24, MARKS = 9, GAP = 8;
const PALETTE =
    ['#3f72af', '#a2466f', '#2f7d5b', '#8a5fb0', '#b0562f', '#6b7a2a', '#5b5fc0', '#2f7f8c', '#8c6a3f', '#9a3f3f'];
const HALF_COLOUR = '#1f7f86';

function theme() {
  const style = getComputedStyle(document.documentElement);
  const all = {};
  for (const name
           of ['paper', 'band', 'line', 'ink', 'faint', 'accent', 'sleep', 'sleep-ink', 'wait', 'wait-ink', 'match',
               'steal', 'wake', 'send', 'completion']) {
    all[name] = style.getPropertyValue(`--${name}`).trim();
  }
  return all;
}

/** A canvas as large as its place on the page, in the device's pixels. Returns its context, in the page's pixels. */
function prepared(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

class Picture {
  constructor(trace, canvas, overview) {
    this.trace = trace;
    this.canvas = canvas;
    this.overview = overview;
    this.from = 0;
    this.to = Math.max(1, trace.end);
    this.scroll = 0;
    this.matches = null;
    this.chosen = null;       // {lane, bar}
    this.hidden = new Set();  // names of kinds of arrows
    this.drawn = {bars: 0, arrows: [], ofArrows: 0};
    this.width = this.height = 1;
    this.colours = this.coloursOfNames();
    this.layOut();
  }

  // --- where things are

  /** Few lanes share the height; of many each has some of its own, and they scroll. */
  layOut() {
    const n = Math.max(1, this.trace.lanes.length);
    this.room = Math.max(84, Math.floor((this.height - AXIS) / n) - MARKS - GAP);
    this.tops = [];
    this.total = AXIS;
    for (const lane of this.trace.lanes) {
      this.tops.push(this.total);
      this.total += this.laneHeight(lane);
    }
  }
  rowHeight(lane) { return Math.max(4, Math.min(24, Math.floor(this.room / lane.depths))); }
  laneHeight(lane) { return this.rowHeight(lane) * lane.depths + MARKS + GAP; }
  x(time) { return GUTTER + (time - this.from) / (this.to - this.from) * (this.width - GUTTER); }
  time(x) { return this.from + (x - GUTTER) / (this.width - GUTTER) * (this.to - this.from); }
  get perPixel() { return (this.to - this.from) / Math.max(1, this.width - GUTTER); }
  /** The top of the lane's bars on the canvas. */
  y(lane) { return this.tops[lane] - this.scroll + GAP / 2; }
  laneAt(y) { return y < AXIS ? -1 : firstOf(this.tops.length, (i) => this.tops[i] > y + this.scroll) - 1; }

  // --- colours

  /** Names that take the most time have colours of their own. */
  coloursOfNames() {
    const unnamed = this.trace.names.map((name) => name === 'run' || name === 'stolen half');
    const colours = this.trace.names.map(() => PALETTE[0]);
    let next = 0;
    for (const one of this.trace.byName(0, this.trace.end + 1)) {
      if (unnamed[one.index]) continue;
      colours[one.index] = PALETTE[1 + next++ % (PALETTE.length - 1)];
    }
    return colours;
  }
  colourOf(lane, bar) {
    switch (lane.kind[bar]) {
      case SLEEP: return this.theme.sleep;
      case WAIT: return this.theme.wait;
      case HALF:
        if (this.trace.names[lane.label[bar]] === 'stolen half') return HALF_COLOUR;
    }
    return this.colours[lane.label[bar]];
  }
  inkOf(lane, bar) {
    return lane.kind[bar] === SLEEP ? this.theme['sleep-ink'] :
        lane.kind[bar] === WAIT     ? this.theme['wait-ink'] :
                                      '#fff';
  }

  // --- drawing

  draw() {
    this.theme = theme();
    this.drawOverview();
    const holder = this.canvas.parentElement;
    this.width = Math.max(GUTTER + 50, holder.clientWidth);
    this.height = Math.max(AXIS + 20, holder.clientHeight);
    this.canvas.style.height = `${this.height}px`;
    this.layOut();
    const to = this.context = prepared(this.canvas, this.width, this.height);
    this.drawn = {bars: 0, arrows: [], ofArrows: 0};
    to.font = '11px system-ui, "DejaVu Sans", sans-serif';
    to.textBaseline = 'middle';
    const first = Math.max(0, this.laneAt(AXIS)), last = Math.min(this.tops.length - 1, this.laneAt(this.height));
    this.drawGrid();
    to.save();
    to.beginPath();
    to.rect(GUTTER, AXIS, this.width - GUTTER, this.height - AXIS);
    to.clip();
    for (let lane = first; lane <= last; ++lane) this.drawLane(lane);
    this.drawChosen();
    this.drawArrows(first, last);
    to.restore();
    for (let lane = first; lane <= last; ++lane) this.drawName(lane);
    this.drawAxis();
  }

  drawLane(index) {
    const lane = this.trace.lanes[index], rows = this.rowHeight(lane);
    let y = this.y(index);
    for (let depth = 0; depth !== lane.depths; ++depth, y += rows) {
      this.context.globalAlpha = this.matches ? 0.22 : 1;
      for (const row of lane.rows[depth]) this.drawRow(lane, row, y, rows - 1);
      this.context.globalAlpha = 1;
      if (!this.matches) continue;
      for (const row of this.matches.lanes[index][depth]) this.drawRow(lane, row, y, rows - 1, true);
    }
    this.drawMoments(lane, y + 1);
  }

  /** Bars of two pixels and more one by one; of the others, how much of each pixel column they cover. */
  drawRow(lane, row, y, height, found = false) {
    const i = row.endingAfter(this.from), j = row.beginningAt(this.to);
    if (i >= j) return;
    const least = 2 * this.perPixel;
    this.drawShares(lane, row, i, j, y, height, least);
    row.eachLonger(i, j, least, (at) => this.drawBar(lane, row.id(at), y, height, found));
  }

  drawShares(lane, row, i, j, y, height, least) {
    const columns = Math.ceil(this.width - GUTTER), shares = new Float32Array(columns), which = new Int32Array(columns);
    const step = this.perPixel;
    if (j - i < 4 * columns) {  // fewer than a look at each column would cost
      for (; i !== j; ++i) {
        const long = row.end[i] - row.begin[i];
        if (long >= least) continue;
        const column = Math.max(0, Math.floor((row.begin[i] - this.from) / step));
        if (column >= columns) break;
        shares[column] += Math.max(long / step, 0.1);
        which[column] = row.id(i);
      }
    } else {
      for (let column = 0; column !== columns; ++column) {
        const a = this.from + column * step;
        shares[column] = row.covered(a, a + step) / step;
        if (shares[column] !== 0) which[column] = row.id(Math.min(j - 1, row.endingAfter(a + step / 2)));
      }
    }
    this.paint(lane, shares, which, y, height);
  }

  /** Neighbouring columns of one colour and share are one rectangle. */
  paint(lane, shares, which, y, height) {
    const to = this.context, alpha = to.globalAlpha;
    const look = (column) => {
      const share = shares[column];
      return share <= 0 ? null : `${Math.ceil(Math.min(1, share) * 6)}${this.colourOf(lane, which[column])}`;
    };
    for (let column = 0; column < shares.length;) {
      const one = look(column);
      let end = column + 1;
      while (end < shares.length && look(end) === one) ++end;
      if (one !== null) {
        to.fillStyle = one.slice(1);
        to.globalAlpha = alpha * (0.25 + 0.125 * Number(one[0]));
        to.fillRect(GUTTER + column, y, end - column, height);
        ++this.drawn.bars;
      }
      column = end;
    }
    to.globalAlpha = alpha;
  }

  drawBar(lane, bar, y, height, found) {
    const to = this.context;
    const x = Math.max(GUTTER - 2, this.x(lane.begin[bar])), end = Math.min(this.width + 2, this.x(lane.end[bar]));
    const width = Math.max(1, end - x - (end - x > 4 ? 1 : 0));
    to.fillStyle = this.colourOf(lane, bar);
    to.fillRect(x, y, width, height);
    ++this.drawn.bars;
    if (lane.kind[bar] === HALF && width > 5) {  // it was stolen
      to.fillStyle = this.theme.steal;
      to.fillRect(x, y, 3, height);
    }
    if (lane.still[bar] && width > 8) this.drawTorn(end, y, height);
    if (found) {
      to.fillStyle = this.theme.match;
      to.fillRect(x, y + height - 3, width, 3);
    }
    if (height < 11 || width < 26) return;
    const left = Math.max(x, GUTTER) + 5, room = end - left - 4;
    this.drawText(this.trace.names[lane.label[bar]], left, y + height / 2 + 0.5, room, this.inkOf(lane, bar));
  }

  /** The end of a bar that had not ended. */
  drawTorn(x, y, height) {
    const to = this.context;
    to.fillStyle = this.theme.paper;
    to.beginPath();
    for (let i = 0; i < 4; ++i) {
      to.moveTo(x, y + i * height / 4);
      to.lineTo(x - 5, y + (i + 0.5) * height / 4);
      to.lineTo(x, y + (i + 1) * height / 4);
    }
    to.fill();
  }

  /** As much of the text as there is room for, or nothing. */
  drawText(text, x, y, room, colour) {
    const to = this.context;
    if (to.measureText(text).width > room) {
      const letters = Math.floor(room / 6.6) - 1;
      if (letters < 3) return;
      text = `${text.slice(0, letters)}…`;
      if (to.measureText(text).width > room) return;
    }
    to.fillStyle = colour;
    to.fillText(text, x, y);
  }

  momentColour(kind) {
    if (kind === STEAL || kind === SLOT_STEAL) return this.theme.steal;
    if (kind === WAKES) return this.theme.wake;
    if (kind === SENDS) return this.theme.send;
    return kind === OVERWRITTEN ? this.theme.ink : this.theme.faint;
  }

  /** Small triangles below the bars, at most one of a colour a pixel column. */
  drawMoments(lane, y) {
    const m = lane.moments, to = this.context;
    const end = firstOf(m.length, (i) => m.at[i] > this.to);
    const seen = new Map();
    for (let i = firstOf(m.length, (i) => m.at[i] >= this.from); i < end;) {
      const x = Math.round(this.x(m.at[i])), colour = this.momentColour(m.kind[i]);
      if (seen.get(colour) !== x) {
        seen.set(colour, x);
        to.fillStyle = colour;
        to.beginPath();
        to.moveTo(x, y);
        to.lineTo(x - 3, y + 6);
        to.lineTo(x + 3, y + 6);
        to.fill();
      }
      // Where there are many: the next pixel column.
      const next = i + 64 < end && Math.round(this.x(m.at[i + 64])) === x ? this.time(x + 0.5) : null;
      i = next === null ? i + 1 : Math.max(i + 1, firstOf(m.length, (k) => m.at[k] >= next));
    }
  }

  drawChosen() {
    if (this.chosen === null) return;
    const lane = this.trace.lanes[this.chosen.lane], bar = this.chosen.bar, rows = this.rowHeight(lane);
    const x = this.x(lane.begin[bar]), width = Math.max(3, this.x(lane.end[bar]) - x);
    this.context.strokeStyle = this.theme.ink;
    this.context.lineWidth = 2;
    this.context.strokeRect(x, this.y(this.chosen.lane) + rows * lane.depth[bar], width, rows - 1);
  }

  // --- arrows

  drawArrows(first, last) {
    const all = this.trace.arrows;
    let i = firstOf(all.length, (i) => all.begin[i] >= this.from - all.longest);
    const j = firstOf(all.length, (i) => all.begin[i] > this.to);
    // At most so many looks a column; the others are counted.
    const most = 3, columns = Math.ceil(this.width - GUTTER);
    const dense = j - i > most * columns;
    const step = this.perPixel;
    for (let column = 0, taken = 0; i < j; ++i) {
      const at = Math.floor((all.begin[i] - this.from) / step);
      if (at !== column) taken = 0;
      column = at;
      if (dense && at >= 0 && ++taken > most) {
        const next = firstOf(all.length, (k) => all.begin[k] >= this.from + (at + 1) * step);
        this.drawn.ofArrows += Math.min(next, j) - i;
        i = Math.max(i, next - 1);
        continue;
      }
      if (all.end[i] < this.from || this.hidden.has(ARROWS[all.kind[i]])) continue;
      ++this.drawn.ofArrows;
      const low = Math.min(all.from[i], all.to[i]), high = Math.max(all.from[i], all.to[i]);
      if (high >= first && low <= last) this.drawn.arrows.push(this.arrow(i));
    }
    const alpha = Math.max(0.12, Math.min(0.85, 160 / this.drawn.arrows.length)) * (this.matches ? 0.4 : 1);
    for (const one of this.drawn.arrows) this.drawArrow(one, alpha);
  }

  /** From the edge of one lane's bars to the edge of the other's. */
  arrow(i) {
    const all = this.trace.arrows, lanes = this.trace.lanes, from = all.from[i], to = all.to[i];
    const bottom = (lane) => this.y(lane) + this.rowHeight(lanes[lane]) * lanes[lane].depths;
    const down = to > from;
    return {
      i,
      x1: this.x(all.begin[i]),
      y1: down ? bottom(from) : this.y(from),
      x2: this.x(all.end[i]),
      y2: down ? this.y(to) : bottom(to),
      down
    };
  }

  drawArrow(one, alpha) {
    const to = this.context, kind = this.trace.arrows.kind[one.i], head = one.down ? -6 : 6;
    to.globalAlpha = alpha;
    to.strokeStyle = to.fillStyle = this.theme[ARROWS[kind]];
    to.lineWidth = 1.4;
    to.beginPath();
    to.moveTo(one.x1, one.y1);
    if (Math.abs(one.x2 - one.x1) < 2) {
      to.lineTo(one.x2, one.y2 + head / 2);
    } else {
      const middle = (one.y1 + one.y2) / 2;
      to.bezierCurveTo(one.x1, middle, one.x2, middle, one.x2, one.y2 + head / 2);
    }
    to.stroke();
    to.beginPath();
    to.moveTo(one.x2, one.y2);
    to.lineTo(one.x2 - 3.5, one.y2 + head);
    to.lineTo(one.x2 + 3.5, one.y2 + head);
    to.fill();
    to.globalAlpha = 1;
    const items = this.trace.arrows.items[one.i];
    if (items > 1 && this.drawn.arrows.length < 80) {
      const text = count(items), wide = to.measureText(text).width;
      to.fillText(text, one.x2 + 6 + wide > this.width ? one.x2 - 6 - wide : one.x2 + 6, one.y2 + 2 * head);
    }
  }

  // --- around the lanes

  drawGrid() {
    const to = this.context;
    this.trace.lanes.forEach((lane, index) => {
      const y = this.tops[index] - this.scroll;
      if (index % 2 === 1 || y > this.height || y + this.laneHeight(lane) < 0) return;
      to.fillStyle = this.theme.band;
      to.fillRect(0, y, this.width, this.laneHeight(lane));
    });
    to.fillStyle = this.theme.line;
    for (const tick of this.ticks()) to.fillRect(Math.round(this.x(tick)), AXIS, 1, this.height);
  }

  ticks() {
    const wanted = (this.to - this.from) / Math.max(2, (this.width - GUTTER) / 110);
    let step = Math.pow(10, Math.floor(Math.log10(Math.max(wanted, 1))));
    step *= [1, 2, 5, 10].find((factor) => factor * step >= wanted) ?? 10;
    const all = [];
    for (let tick = Math.ceil(this.from / step) * step; tick <= this.to; tick += step) all.push(tick);
    return all;
  }

  drawAxis() {
    const to = this.context;
    to.fillStyle = this.theme.paper;
    to.fillRect(0, 0, this.width, AXIS);
    to.fillStyle = this.theme.line;
    to.fillRect(0, AXIS - 1, this.width, 1);
    to.fillStyle = this.theme.faint;
    const all = this.ticks(), step = all.length > 1 ? all[1] - all[0] : 1;
    const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];
    const [unit, name] = units.find(([unit]) => this.to >= unit && step * 1000 >= unit) ?? [1, 'ns'];
    for (const tick of all) {
      const text = `${(tick / unit).toLocaleString('en', {maximumFractionDigits: 3})} ${name}`;
      const x = this.x(tick), width = to.measureText(text).width;
      if (x + width + 4 < this.width) to.fillText(text, x + 3, AXIS / 2);
    }
  }

  drawName(index) {
    const lane = this.trace.lanes[index], to = this.context, y = this.y(index);
    const height = this.laneHeight(lane) - GAP;
    to.font = '600 12px system-ui, "DejaVu Sans", sans-serif';
    this.drawText(lane.name, 12, y + (height > 24 ? 8 : height / 2), GUTTER - 60, this.theme.ink);
    to.font = '11px system-ui, "DejaVu Sans", sans-serif';
    const times = lane.times(this.from, this.to), whole = this.to - this.from;
    const share = (time) => `${(100 * time / whole).toFixed(0)} %`;
    to.fillStyle = this.theme.faint;
    to.textAlign = 'right';
    to.fillText(share(times[TASK] + times[HALF]), GUTTER - 8, y + (height > 24 ? 8 : height / 2));
    to.textAlign = 'left';
    if (height > 30) to.fillText(`parked ${share(times[SLEEP])}`, 12, y + 23);
  }

  /** The number of workers that run, wait and sleep, over the whole trace; and the range that is shown. */
  drawOverview() {
    const width = this.overview.clientWidth, height = this.overview.clientHeight;
    const to = prepared(this.overview, width, height);
    const step = this.trace.end / Math.max(1, width - GUTTER);
    const lanes = this.trace.lanes, unit = (height - 8) / Math.max(1, lanes.length);
    this.shares ??= {};
    if (this.shares.width !== width) this.shares = {width, columns: this.overviewColumns(width, step)};
    this.shares.columns.forEach((times, column) => {
      let y = height - 4;
      for (const [kind, colour] of [[TASK, PALETTE[0]], [WAIT, this.theme.wait], [SLEEP, this.theme.sleep]]) {
        const tall = times[kind] * unit;
        to.fillStyle = colour;
        to.fillRect(GUTTER + column, y - tall, 1, tall);
        y -= tall;
      }
    });
    to.fillStyle = this.theme.faint;
    to.font = '11px system-ui, "DejaVu Sans", sans-serif';
    to.textBaseline = 'middle';
    to.fillText('running', 12, height / 2 - 7);
    to.fillText(`of ${plural(lanes.length, 'worker')}`, 12, height / 2 + 8);
    const x = (time) => GUTTER + time / Math.max(1, this.trace.end) * (width - GUTTER);
    to.fillStyle = this.theme.paper;
    to.globalAlpha = 0.6;
    to.fillRect(GUTTER, 0, x(this.from) - GUTTER, height);
    to.fillRect(x(this.to), 0, width - x(this.to), height);
    to.globalAlpha = 1;
    to.strokeStyle = this.theme.accent;
    to.lineWidth = 1.5;
    to.strokeRect(x(this.from), 1, Math.max(2, x(this.to) - x(this.from) - 1), height - 2);
  }
  /** How many workers were in each kind of bar, by column. */
  overviewColumns(width, step) {
    const columns = width - GUTTER;
    const sums = KINDS.map(() => new Float64Array(columns + 1)), rises = KINDS.map(() => new Float64Array(columns + 1));
    for (const lane of this.trace.lanes) {
      lane.inner.forEach((row, kind) => {
        if (row.length < columns) return this.addBars(row, step, sums[kind], rises[kind]);
        for (let column = 0; column < columns; ++column) {
          sums[kind][column] += row.covered(column * step, (column + 1) * step) / step;
        }
      });
    }
    const whole = [0, 0, 0, 0];  // workers whose bar covers the column
    return Array.from({length: columns}, (_, column) => {
      const of = sums.map((sum, kind) => sum[column] + (whole[kind] += rises[kind][column]));
      return [of[TASK] + of[HALF], of[SLEEP], 0, of[WAIT]];
    });
  }
  /** Of a row with fewer bars than columns: the ends of each bar, and where the columns between begin and end. */
  addBars(row, step, sum, rises) {
    const last = sum.length - 1;
    for (let i = 0; i !== row.length; ++i) {
      const a = row.begin[i] / step, b = Math.min(last, row.end[i] / step);
      const from = Math.min(last, Math.floor(a)), to = Math.floor(b);
      if (from === to) {
        sum[from] += b - a;
        continue;
      }
      sum[from] += from + 1 - a;
      ++rises[from + 1];
      --rises[to];
      sum[to] += b - to;
    }
  }
}
