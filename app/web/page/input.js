// What comes in from a person and goes to the program: keys, fingers, mouse, wheel, files, the clipboard.
// Each of them wakes the loop (loop.js).
'use strict';

// Keys. The browser keeps its own: new tab, reload, tools, zoom, and F6, which leaves the picture.
const browsers = (event) => {
  if (['F5', 'F6', 'F11', 'F12'].includes(event.key)) return true;
  const command = event.ctrlKey || event.metaKey;
  return command && (['t', 'w', 'n', 'r', 'l', 'j', '0', '+', '-'].includes(event.key.toLowerCase()) ||
                     (event.shiftKey && ['i', 'c', 'j', 't', 'n'].includes(event.key.toLowerCase())));
};
const keysDown = new Map();  // by their codes, with what is printed on them
const isModifier = (event) => ['Meta', 'Control', 'Shift', 'Alt'].includes(event.key);
const ctrl = 1, shift = 2, alt = 4;  // Modifier in app/shell/surface/canvas.cpp
// Command is told as Ctrl.
const held = (event) =>
  (event.ctrlKey || event.metaKey ? ctrl : 0) | (event.shiftKey ? shift : 0) | (event.altKey ? alt : 0);
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
// Fingers that part are a wheel with Ctrl held, which zooms.
const scroll = (before, now) => {
  const step = 40 * canvas.width / Math.max(1, canvas.clientWidth);
  call('kv_wheel', (now.x - before.x) / step, (now.y - before.y) / step, 0);
  if (Math.abs(now.spread - before.spread) > 1) call('kv_wheel', 0, (now.spread - before.spread) / step, ctrl);
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
  const place = at(event), buttons = {0: 0, 1: 2, 2: 1};  // the browser's number: Dear ImGui's
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
    for (const down of [1, 0]) tell('kv_key', 'KeyV', 'v', ctrl, down);
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
