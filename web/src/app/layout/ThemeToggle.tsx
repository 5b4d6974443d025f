import { IconButton } from '@/ui'
import { MoonIcon, SunIcon } from '@/ui/icons'
import { useColourChoice, useIsLight } from '@/ui/theme/colourMode'

/** Switches between light and dark; the footer also offers to follow the system. */
export function ThemeToggle() {
  const [, choose] = useColourChoice()
  const light = useIsLight()
  return (
    <IconButton
      variant="ghost"
      aria-label={light ? 'Switch to dark mode' : 'Switch to light mode'}
      onClick={() => choose(light ? 'dark' : 'light')}
    >
      {light ? <MoonIcon /> : <SunIcon />}
    </IconButton>
  )
}
