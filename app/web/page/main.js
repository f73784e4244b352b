// The page at work: events go to the program, its loop turns when something is due, and what it
// writes becomes downloads.
'use strict';

// Three ways into the program: call() with numbers, which may answer one; tell() with words, without an
// answer; and program.ask() (program.js) with words and an answer, or what was refused, which it throws.
const canvas = document.getElementById('picture');
const call = (name, ...values) => program.module['_' + name](...values);
const tell = (name, ...words) =>
  program.module.ccall(name, null, words.map((word) => typeof word === 'string' ? 'string' : 'number'), words);

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
    // Three rates. While work is under way a turn is made every `besideWork` seconds at most, so that work gets most of
    // the time, but for eager turns, which show at once what a person did; else whenever one is due; and where none is
    // due, once more after `longestRest`, which writes down what was changed, and then not before something wakes it.
    if (slices.busy && pause >= 0 && !loop.eager) rest(Math.max(pause, besideWork));
    else rest(pause < 0 ? (loop.fresh ? longestRest : -1) : pause);
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

// Keys. The browser keeps its own: new tab, reload, tools, zoom, and F6, which leaves the picture.
const browsers = (event) => {
  if (['F5', 'F6', 'F11', 'F12'].includes(event.key)) return true;
  const command = event.ctrlKey || event.metaKey;
  return command && (['t', 'w', 'n', 'r', 'l', 'j', '0', '+', '-'].includes(event.key.toLowerCase()) ||
                     (event.shiftKey && ['i', 'c', 'j', 't', 'n'].includes(event.key.toLowerCase())));
};
const keysDown = new Map();  // by their codes, with what is printed on them
const isModifier = (event) => ['Meta', 'Control', 'Shift', 'Alt'].includes(event.key);
const held = (event) => (event.ctrlKey || event.metaKey ? 1 : 0) | (event.shiftKey ? 2 : 0) | (event.altKey ? 4 : 0);
const tellKey = (event, down) => {
  tell('kv_key', event.code, event.key, held(event), down ? 1 : 0);
  if (down && !isModifier(event)) keysDown.set(event.code, event.key);
  else keysDown.delete(event.code);
};
// While Command is down macOS tells of no other key that it goes up.
const releaseKeys = (event) => {
  for (const [code, key] of keysDown) tell('kv_key', code, key, held(event), 0);
  keysDown.clear();
};
const onKey = (event) => {
  const down = event.type === 'keydown';
  if (event.key === 'F6' && down) return void (event.preventDefault(), by('title').focus());
  if (browsers(event)) return;
  const pastes = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v';
  if (pastes && down) return;  // the text comes first, with an event of its own
  event.preventDefault();
  if (event.metaKey && event.repeat) return;  // it would be another press of a key that was released at once
  tellKey(event, down);
  if (down ? event.metaKey : event.key === 'Meta') releaseKeys(event);
  const letter = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey;
  if (down && letter) tell('kv_typed', event.key);
  wake();
};

// Fingers. One points as a mouse does, two scroll, and two that part zoom.
const hand = {
  lie: new Map(),   // the fingers, each where it lies
  first: null,      // where the first one came down
  timer: 0,         // until that one presses
  pressed: false,   // it does
  scrolls: false,   // there were two since; none of them points any more
};
const firstAlone = 150;  // milliseconds: the second of two fingers comes sooner, and then the first has pressed nothing
const firstMoves = 8;    // of the page's pixels: a finger that went so far alone drags
const at = (event) => {
  const box = canvas.getBoundingClientRect(), ratio = canvas.width / Math.max(1, box.width);
  return [(event.clientX - box.left) * ratio, (event.clientY - box.top) * ratio];
};
const kinds = {mouse: 0, touch: 1, pen: 2};
const middle = () => {
  const all = [...hand.lie.values()];
  const x = all.reduce((sum, f) => sum + f[0], 0) / all.length, y = all.reduce((sum, f) => sum + f[1], 0) / all.length;
  return {x, y, spread: Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1])};
};
const point = (place, button, down, kind) => call('kv_pointer', ...place, button, down, kind);
const pressFirst = () => {
  clearTimeout(hand.timer);
  if (hand.pressed) return;
  hand.pressed = true;
  point(hand.first, 0, 1, kinds.touch);
  wake();
};
const releaseFirst = (place) => {
  clearTimeout(hand.timer);
  if (hand.pressed) point(place, 0, 0, kinds.touch);
  hand.pressed = false;
};
const scroll = (before, now) => {
  const step = 40 * canvas.width / Math.max(1, canvas.clientWidth);
  call('kv_wheel', (now.x - before.x) / step, (now.y - before.y) / step, 0);
  if (Math.abs(now.spread - before.spread) > 1) call('kv_wheel', 0, (now.spread - before.spread) / step, 1);
};
// Each takes a finger's number and where it is now.
const onFinger = {
  pointerdown: (id, place) => {
    if (hand.lie.size === 1) {
      releaseFirst([...hand.lie.values()][0]);
      hand.scrolls = true;
    }
    hand.lie.set(id, place);
    if (hand.scrolls) {
      const {x, y} = middle();
      return point([x, y], -1, 0, kinds.touch);  // what lies there scrolls
    }
    hand.first = place;
    hand.timer = setTimeout(pressFirst, firstAlone);
    point(place, -1, 0, kinds.touch);
  },
  pointermove: (id, place) => {
    const before = hand.lie.size > 1 ? middle() : null;
    hand.lie.set(id, place);
    if (before) return scroll(before, middle());
    if (hand.scrolls) return;
    const far = firstMoves * canvas.width / Math.max(1, canvas.clientWidth);
    if (Math.hypot(place[0] - hand.first[0], place[1] - hand.first[1]) > far) pressFirst();
    if (hand.pressed) point(place, -1, 0, kinds.touch);
  },
  pointerup: (id, place) => {
    if (!hand.scrolls) pressFirst();
    lift(id, place);
  },
  pointercancel: (id) => lift(id, hand.lie.get(id)),
};
const lift = (id, place) => {
  releaseFirst(place);
  hand.lie.delete(id);
  if (hand.lie.size > 0) return;
  hand.scrolls = false;
  call('kv_pointer_left');
};
const onPointer = (event) => {
  if (event.type === 'pointerdown') {
    canvas.focus({preventScroll: true});
    canvas.setPointerCapture(event.pointerId);
  }
  const place = at(event), buttons = {0: 0, 1: 2, 2: 1};
  if (event.pointerType === 'touch') {
    if (event.type === 'pointerdown' || hand.lie.has(event.pointerId)) onFinger[event.type](event.pointerId, place);
  } else {
    const moved = event.type === 'pointermove';
    point(place, moved ? -1 : buttons[event.button] ?? -1, event.type === 'pointerdown' ? 1 : 0, kinds[event.pointerType] ?? 0);
  }
  wake();
};
const onWheel = (event) => {
  const size = event.deltaMode === 0 ? 100 : event.deltaMode === 1 ? 3 : 1;
  call('kv_wheel', -event.deltaX / size, -event.deltaY / size, held(event));
  event.preventDefault();
  wake();
};

const openFiles = async (files) => {
  for (const file of files) {
    const path = '/dropped/' + file.name.replaceAll('/', '_');
    program.module.FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
    tell('kv_dropped', path);
  }
  wake();
};

const follow = () => {
  for (const kind of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel']) canvas.addEventListener(kind, onPointer);
  canvas.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') { call('kv_pointer_left'); wake(); } });
  canvas.addEventListener('wheel', onWheel, {passive: false});
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('keydown', onKey);
  canvas.addEventListener('keyup', onKey);
  canvas.addEventListener('focus', () => { call('kv_canvas_has_focus', 1); wake(); });
  canvas.addEventListener('blur', () => { call('kv_canvas_has_focus', 0); wake(); });
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    call('kv_canvas_lost', 1);
    reader.explain(reader.words.lost);
  });
  canvas.addEventListener('webglcontextrestored', () => { call('kv_canvas_lost', 0); reader.explain(''); place(); });
  document.addEventListener('paste', (event) => {
    if (document.activeElement !== canvas) return;
    tell('kv_pasted', event.clipboardData.getData('text'));
    for (const down of [1, 0]) tell('kv_key', 'KeyV', 'v', 1, down);
    wake();
  });
  document.addEventListener('visibilitychange', wake);
  // By its pixels, which change with the page's zoom and from display to display as well.
  new ResizeObserver(place).observe(canvas, {box: 'device-pixel-content-box'});
  window.addEventListener('resize', place);
  for (const kind of ['dragover', 'drop']) document.addEventListener(kind, (event) => event.preventDefault());
  document.addEventListener('drop', (event) => openFiles(event.dataTransfer.files));
  by('open-file').addEventListener('change', (event) => openFiles(event.target.files));
  by('skip').addEventListener('click', (event) => { event.preventDefault(); canvas.focus(); });
  by('copy-link').addEventListener('click', async () => {
    try {
      const {address, said} = await link.now(reader.ask());
      loop.address = address;
      history.replaceState(null, '', address);
      const copied = await copy(address);
      reader.explain(copied ? reader.words[said] : reader.words.link_kept);
    } catch (refused) {
      reader.explain(refused.message);
    }
  });
  window.addEventListener('hashchange', () => { if (location.href !== loop.address) location.reload(); });
  window.addEventListener('pagehide', () => { if (!store.off) store.save(program.module.FS); });
};

// True when it is on the clipboard.
const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (refused) {
    const field = made('textarea', {style: 'position:fixed;left:-100vw'});
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    return copied;
  }
};

const cursors = ['default', 'text', 'move', 'ns-resize', 'ew-resize', 'nesw-resize', 'nwse-resize', 'pointer', 'wait', 'progress', 'not-allowed'];
const settings = {
  kvCopies: copy,
  kvShowsCursor: (cursor) => { canvas.style.cursor = cursor < 0 ? 'none' : cursors[cursor] || 'default'; },
  kvFillsScreen: (on) => (on ? by('frame').requestFullscreen() : document.exitFullscreen()).catch(() => {}),
};

const start = async () => {
  if (/[#&]only=/.test(location.hash)) document.body.classList.add('embedded');
  await program.open(settings);
  const fs = program.module.FS;
  let wrong = '';
  const ask = await link.asked(location.hash, fs).catch((refused) => { wrong = refused.message; return {}; });
  const openPicture = (asked) => program.ask('kv_open_picture', JSON.stringify(asked));
  try {
    openPicture(ask);
  } catch (refused) {
    wrong = refused.message;
    openPicture({});  // what an address asks for may be refused; the tank opens all the same
  }
  loop.open = loop.fresh = true;
  loop.handed = new Map(filesBelow(fs, '/files').map((path) => [path, fs.stat(path).mtime.getTime()]));
  reader.begin();
  place();
  call('kv_turn');
  call('kv_turn');  // Dear ImGui measures in one frame what it shows in the next
  kvarium.first = performance.now();
  follow();
  by('waiting').remove();
  document.body.classList.remove('loading');
  if (!ask.only) canvas.focus({preventScroll: true});
  reader.show();
  if (wrong) reader.explain(wrong);
  wake();
};

const kvarium = {
  cli: (words, files) => program.cli(words, files),
  scene: () => program.ask('kv_scene'),
  open: (text) => {
    const path = '/link/opened.kvscene';
    program.module.FS.writeFile(path, text);
    program.ask('kv_do', 'file.open_scene ' + path);
    wake();
  },
  table: (name) => program.askJson('kv_table', name),
  do: (command) => { program.ask('kv_do', command); wake(); },
  reader: () => reader.ask(),
};
// What the address asks for is opened in the background; who waits for the page waits for that as well.
const allIsQuiet = async () => {
  for (let quiet = 0; quiet < 3 && loop.open && !document.hidden;) {
    await new Promise((go) => setTimeout(go, 20));
    quiet = call('kv_has_work') || loop.frame || slices.rung ? 0 : quiet + 1;
  }
};
kvarium.ready = start().then(allIsQuiet).catch((failed) => {
  const waiting = by('waiting');
  if (waiting) say(waiting, failed.message);
  if (!program.module) throw failed;  // without a picture the rest answers
});
window.kvarium = kvarium;
