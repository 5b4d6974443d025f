// Runs before the first paint, so that the page never flashes in the other mode. The key and the default are
// those of src/ui/theme/colourMode.ts.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('capzone-colour-mode')
  } catch {
    // Without storage the default holds.
  }
  const mode =
    choice === 'light' || (choice === 'system' && matchMedia('(prefers-color-scheme: light)').matches)
      ? 'light'
      : 'dark'
  document.documentElement.classList.add(mode)
  // The static frame of index.html has a taller banner at home.
  if (location.pathname === '/') document.documentElement.dataset.home = ''
  document.documentElement.style.colorScheme = mode
})()
