import { css } from 'styled-system/css'

interface Props {
  /** In the theme's steps of 4 px. */
  size?: number
}

const stroke = css({
  flexShrink: 0,
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: '2px',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
})

// An icon drawn on a grid of 24. It is decoration; its button has a label.
function icon(paths: string[]) {
  return function Icon({ size = 5 }: Props) {
    const side = `${size / 4}rem`
    return (
      <svg viewBox="0 0 24 24" className={stroke} style={{ width: side, height: side }} aria-hidden="true">
        {paths.map((d) => (
          <path key={d} d={d} />
        ))}
      </svg>
    )
  }
}

export const AlertIcon = icon(['M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z', 'M12 8v5', 'M12 16.5h.01'])
export const ArrowLeftIcon = icon(['M19 12H5', 'M11 6l-6 6 6 6'])
export const ArrowRightIcon = icon(['M5 12h14', 'M13 6l6 6-6 6'])
export const ChatIcon = icon([
  'M5 5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-7l-5 4v-4H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2z',
  'M8 11h.01',
  'M12 11h.01',
  'M16 11h.01',
])
export const CheckIcon = icon(['M5 12.5l4.500 4.500L19 7'])
export const ChevronDownIcon = icon(['M6 9l6 6 6-6'])
export const CloseIcon = icon(['M6 6l12 12', 'M18 6L6 18'])
export const CopyIcon = icon(['M9 9h11v11H9z', 'M5 15H4V4h11v1'])
export const DownloadIcon = icon(['M12 4v11', 'M7 11l5 5 5-5', 'M5 20h14'])
export const ExternalLinkIcon = icon([
  'M14 5h5v5',
  'M19 5l-8 8',
  'M17 14v4a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h4',
])
export const FilterIcon = icon(['M4 6h16', 'M7 12h10', 'M10 18h4'])
export const GridIcon = icon(['M4 4h6v6H4z', 'M14 4h6v6h-6z', 'M4 14h6v6H4z', 'M14 14h6v6h-6z'])
export const ListIcon = icon(['M9 6h11', 'M9 12h11', 'M9 18h11', 'M4.5 6h.01', 'M4.5 12h.01', 'M4.5 18h.01'])
export const LogOutIcon = icon(['M10 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4', 'M15 8l4 4-4 4', 'M19 12H9'])
export const MapIcon = icon(['M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2z', 'M9 4v14', 'M15 6v14'])
export const MenuIcon = icon(['M4 7h16', 'M4 12h16', 'M4 17h16'])
export const MoonIcon = icon(['M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z'])
export const PencilIcon = icon(['M4 20l1-4L16 5l3 3L8 19z', 'M14 7l3 3'])
export const SearchIcon = icon(['M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14z', 'M20 20l-4-4'])
export const ShareIcon = icon(['M12 15V4', 'M8 7l4-4 4 4', 'M6 11H5v9h14v-9h-1'])
export const SortIcon = icon(['M7 5v14', 'M4 16l3 3 3-3', 'M17 19V5', 'M14 8l3-3 3 3'])
export const SunIcon = icon([
  'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
  'M12 3v2',
  'M12 19v2',
  'M3 12h2',
  'M19 12h2',
  'M5.6 5.6L7 7',
  'M17 17l1.4 1.4',
  'M5.6 18.4L7 17',
  'M17 7l1.4-1.4',
])
export const TargetIcon = icon([
  'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16z',
  'M12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2z',
  'M12 1v4',
  'M12 19v4',
  'M1 12h4',
  'M19 12h4',
])
export const TimerIcon = icon(['M12 21a8 8 0 1 0 0-16 8 8 0 0 0 0 16z', 'M12 13V9', 'M9 2h6', 'M18.5 6.5L20 5'])
export const TrophyIcon = icon([
  'M8 4h8v5a4 4 0 0 1-8 0z',
  'M8 6H4v1a4 4 0 0 0 4 4',
  'M16 6h4v1a4 4 0 0 1-4 4',
  'M12 13v4',
  'M8 20h8',
])
export const UploadIcon = icon(['M12 16V5', 'M7 9l5-5 5 5', 'M5 20h14'])
export const UserIcon = icon(['M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8z', 'M4 20c1-4 4-6 8-6s7 2 8 6'])
export const UsersIcon = icon([
  'M9 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  'M2.5 19c.7-3.4 3-5 6.5-5s5.8 1.6 6.5 5',
  'M16 5.300a3.5 3.5 0 0 1 0 6.4',
  'M18 14.300c2 .6 3.1 2.2 3.5 4.7',
])
