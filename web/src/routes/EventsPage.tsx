import { ComingSoon } from '@/ui/ComingSoon'

export default function EventsPage() {
  return (
    <ComingSoon
      title="Events"
      text="Races at a fixed hour, on a map that is new to every player. The first one will be announced here."
    />
  )
}
