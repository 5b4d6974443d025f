import { css } from 'styled-system/css'

const stroke = css({
  flexShrink: 0,
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: '2px',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
})

// An icon drawn on a grid of 24, in a size of the theme's steps of 4 px. It is decoration; its button has a label.
function icon(path: string) {
  return function Icon({ size = 5 }: { size?: number }) {
    const side = `${size / 4}rem`
    return (
      <svg viewBox="0 0 24 24" className={stroke} style={{ width: side, height: side }} aria-hidden="true">
        <path d={path} />
      </svg>
    )
  }
}

export const AlertIcon = icon('M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 8v5M12 16.5h.01')
export const ArrowLeftIcon = icon('M19 12H5M11 6l-6 6 6 6')
export const ArrowRightIcon = icon('M5 12h14M13 6l6 6-6 6')
export const BellIcon = icon('M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4')
export const ChatIcon = icon(
  'M5 5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-7l-5 4v-4H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM8 11h.01M12 11h.01M16 11h.01',
)
export const CheckIcon = icon('M5 12.5l4.5 4.5L19 7')
export const ChevronDownIcon = icon('M6 9l6 6 6-6')
export const CloseIcon = icon('M6 6l12 12M18 6L6 18')
export const CompareIcon = icon('M4 8h13M13 4l4 4-4 4M20 16H7M11 12l-4 4 4 4')
export const CopyIcon = icon('M9 9h11v11H9zM5 15H4V4h11v1')
export const DownloadIcon = icon('M12 4v11M7 11l5 5 5-5M5 20h14')
export const ExternalLinkIcon = icon('M14 5h5v5M19 5l-8 8M17 14v4a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h4')
export const ExpandIcon = icon('M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5')
export const FilterIcon = icon('M4 6h16M7 12h10M10 18h4')
export const FlagIcon = icon('M5 21V4h13l-3 4.5 3 4.5H5')
export const GridIcon = icon('M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z')
export const ListIcon = icon('M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01')
export const LogOutIcon = icon('M10 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4M15 8l4 4-4 4M19 12H9')
export const MapIcon = icon('M3 6l6-2 6 2 6-2v14l-6 2-6-2-6 2zM9 4v14M15 6v14')
export const MenuIcon = icon('M4 7h16M4 12h16M4 17h16')
export const MinusIcon = icon('M5 12h14')
export const MoonIcon = icon('M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z')
export const PencilIcon = icon('M4 20l1-4L16 5l3 3L8 19zM14 7l3 3')
export const PlusIcon = icon('M12 5v14M5 12h14')
export const SearchIcon = icon('M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4')
export const ShareIcon = icon('M12 15V4M8 7l4-4 4 4M6 11H5v9h14v-9h-1')
export const SortIcon = icon('M7 5v14M4 16l3 3 3-3M17 19V5M14 8l3-3 3 3')
export const SunIcon = icon(
  'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4',
)
export const TargetIcon = icon(
  'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2zM12 1v4M12 19v4M1 12h4M19 12h4',
)
export const TrophyIcon = icon('M8 4h8v5a4 4 0 0 1-8 0zM8 6H4v1a4 4 0 0 0 4 4M16 6h4v1a4 4 0 0 1-4 4M12 13v4M8 20h8')
export const UploadIcon = icon('M12 16V5M7 9l5-5 5 5M5 20h14')
export const UserIcon = icon('M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-6 8-6s7 2 8 6')
export const UsersIcon = icon(
  'M9 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19c.7-3.4 3-5 6.5-5s5.8 1.6 6.5 5M16 5.3a3.5 3.5 0 0 1 0 6.4M18 14.3c2 .6 3.1 2.2 3.5 4.7',
)
