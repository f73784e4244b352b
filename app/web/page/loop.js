// The loop: a turn when one is due, a slice of background work between two of them, and, when the
// picture stands still, the reader, downloads and what is kept.
'use strict';

const canvas = document.getElementById('picture');

// The loop. Nothing turns while nothing is due, nor while the page is hidden.
const loop = {
  open: false,   // there is a picture, and it goes on
  frame: 0,      // of requestAnimationFrame; 0 while none is due
  timer: 0,      // of setTimeout, until the next one is
  turns: 0, turned: 0,  // how many, which tests look at, and when the last one was
  eager: 0,      // frames that follow each other whatever else is to be done
  fresh: false,  // something was due before the turn that is made now
  ratio: 1,      // device pixels of one of the page's
  handed: new Map(),  // files of the program that became downloads, with the time of their contents
  address: '', warned: false,  // the link that the page wrote itself; that nothing is kept was told
};
const longestRest = 0.6;  // seconds: what was changed is written down after half a one
const besideWork = 0.1;   // seconds: often enough for a bar that grows
const draw = () => {
  if (loop.open && !loop.frame && !document.hidden) loop.frame = requestAnimationFrame(turn);
};
const wake = () => {
  loop.eager = 3;  // what a person does shows within so many frames
  draw();
};
const rest = (seconds) => {
  clearTimeout(loop.timer);
  if (seconds > 0) loop.timer = setTimeout(draw, seconds * 1000);
  else if (seconds === 0) draw();
};

// Background work, slice after slice, as long as there is some. A message comes sooner than a timer, which
// browsers hold back, and lets events and frames pass. Tests look at n and took.
const slices = {bell: new MessageChannel(), rung: false, busy: false, n: 0, took: []};
const slice = () => {
  slices.rung = false;
  if (document.hidden || !loop.open) return;
  const begun = performance.now();
  if (!call('kv_work')) return void (slices.busy = false);
  ++slices.n;
  slices.took.push(performance.now() - begun);
  if (slices.took.length > 1000) slices.took.shift();
  slices.busy = call('kv_has_work') !== 0;
  if (!slices.busy) return wake();
  if (begun - loop.turned > besideWork * 1000 && call('kv_canvas_has_news')) draw();
  askForSlice();
};
slices.bell.port1.onmessage = slice;
const askForSlice = () => {
  if (slices.rung) return;
  slices.rung = true;
  slices.bell.port2.postMessage(0);
};

const turn = () => {
  loop.frame = 0;
  ++loop.turns;
  loop.turned = performance.now();
  if (loop.eager > 0) --loop.eager;
  if (loop.ratio !== window.devicePixelRatio) place();  // another display, or another zoom
  try {
    const due = call('kv_turn');  // seconds; below 0: nothing is due
    const pause = call('kv_canvas_has_news') ? 0 : due;
    askForSlice();
    // The reader follows when the picture stands still, or between two slices of work.
    if (pause !== 0 || (slices.busy && !loop.eager)) looked();
    // Nothing due: one turn more, which writes down what was changed, and then none before something wakes it.
    if (pause < 0) rest(loop.fresh ? longestRest : -1);
    // Work gets most of the time, but for eager turns, which show at once what a person did.
    else if (slices.busy && !loop.eager) rest(Math.max(pause, besideWork));
    else rest(pause);
    loop.fresh = loop.frame !== 0 || pause >= 0;
  } catch (bug) {
    loop.open = false;
    reader.explain((reader.words.bug || '{what}').replace('{what}', bug && bug.message || String(bug)));
    throw bug;
  }
};

// What the program wrote where downloads come from is handed to the browser.
const handOver = (fs) => {
  for (const folder of [home + '/Pictures/kvarium', home + '/.local/share/kvarium/exports', '/files']) {
    for (const path of filesBelow(fs, folder)) {
      const time = fs.stat(path).mtime.getTime(), name = path.slice(path.lastIndexOf('/') + 1);
      if (loop.handed.get(path) === time) continue;
      loop.handed.set(path, time);
      download(name, fs.readFile(path));
      reader.explain(reader.words.saved.replace('{file}', name));
    }
  }
};

const looked = () => {
  reader.show();
  handOver(program.module.FS);
  if (!store.off) store.save(program.module.FS);
  if (store.refused && !loop.warned) loop.warned = true, reader.explain(reader.words.not_kept);
};

const place = () => {
  const ratio = loop.ratio = window.devicePixelRatio || 1;
  const box = canvas.getBoundingClientRect();
  canvas.width = Math.max(1, Math.round(box.width * ratio));
  canvas.height = Math.max(1, Math.round(box.height * ratio));
  call('kv_canvas_is', canvas.width, canvas.height, ratio);
  wake();
};
