import { ComingSoon } from '@/shared/components/ComingSoon'

export function Component() {
  return (
    <ComingSoon
      title="Events"
      text="Races at a fixed hour, with a map that nobody has seen before. The first one will be announced here."
    />
  )
}
