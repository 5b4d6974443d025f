import { ComingSoon } from '@/ui/ComingSoon'

export default function MapSeriesPage() {
  return (
    <ComingSoon
      title="Map Series"
      text="Maps that belong together, raced one after the other, with one clock for all of them. We are still building this."
    />
  )
}
