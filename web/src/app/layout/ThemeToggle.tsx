import { IconButton } from '@/shared/components/Button'
import { MoonIcon, SunIcon } from '@/shared/components/icons'
import { useColourChoice, useIsLight } from '@/shared/theme/colourMode'

// ThemeToggle switches between light and dark; the footer also offers to follow the system.
export function ThemeToggle() {
  const [, choose] = useColourChoice()
  const light = useIsLight()
  return (
    <IconButton
      look="ghost"
      aria-label={light ? 'Switch to dark mode' : 'Switch to light mode'}
      onClick={() => choose(light ? 'dark' : 'light')}
    >
      {light ? <MoonIcon /> : <SunIcon />}
    </IconButton>
  )
}
