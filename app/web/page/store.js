// What the browser keeps of the page: settings, moved panels, progress and own scenes, and nothing
// else. The program sees them as files; here they are one entry of the local storage.
'use strict';

// Where emscripten says that its one person is at home.
const home = ['', 'home', 'web_user'].join('/');

const store = {
  key: 'kvarium', kept: '', refused: false, places: [home + '/.config/kvarium', home + '/.local', '/files'],
  most: 2 << 20,  // bytes, of one file and of all of them
};

const folderOf = (path) => path.slice(0, path.lastIndexOf('/'));

store.restore = (fs) => {
  let files = {};
  try {
    store.kept = localStorage.getItem(store.key) || '';
    files = JSON.parse(store.kept || '{}');
  } catch (unreadable) {
    store.kept = '';  // no storage, or not ours: the page begins anew
  }
  for (const [path, text] of Object.entries(files)) {
    const ours = store.places.some((place) => path.startsWith(place + '/')) && !path.includes('..');
    if (!ours || typeof text !== 'string') continue;
    fs.mkdirTree(folderOf(path));
    fs.writeFile(path, text);
  }
};

const filesBelow = (fs, folder) => {
  if (!fs.analyzePath(folder).exists) return [];
  return fs.readdir(folder).filter((name) => name !== '.' && name !== '..').flatMap((name) => {
    const path = folder + '/' + name;
    return fs.isDir(fs.stat(path).mode) ? filesBelow(fs, path) : [path];
  });
};

store.save = (fs) => {
  const files = {};
  let size = 0;
  for (const path of store.places.flatMap((place) => filesBelow(fs, place))) {
    if (path.startsWith('/files/') && !path.endsWith('.kvscene')) continue;
    if (path.includes('/exports/')) continue;
    const more = fs.stat(path).size;
    if (size + more > store.most) {
      store.refused = true;
      continue;
    }
    size += more;
    files[path] = fs.readFile(path, {encoding: 'utf8'});
  }
  const text = JSON.stringify(files);
  if (text === store.kept) return;
  try {
    localStorage.setItem(store.key, text);
    store.kept = text;
  } catch (full) {
    store.refused = true;  // or there is no storage at all; what is open goes on all the same
  }
};

store.forget = (fs) => {
  for (const path of store.places.flatMap((place) => filesBelow(fs, place))) fs.unlink(path);
  store.kept = '{}';
  try {
    localStorage.removeItem(store.key);
  } catch (none) {
    // nothing was kept
  }
};
