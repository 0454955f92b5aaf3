})().catch(error => {
  document.documentElement.classList.remove('scripted');
  const note = document.createElement('p');
  note.className = 'problem';
  note.textContent = 'Only the tables are shown, because the script of this page failed: ' + error;
  document.querySelector('header .wrap').append(note);
});
