// Opens the page: program, picture, reader, events; and gives others `kvarium`.
'use strict';

// What the program asks of the browser.
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
