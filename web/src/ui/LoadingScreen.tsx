/**
 * Fills the window while there is no page yet. index.html has the same element and its styles, so that it is visible
 * before the first script is loaded.
 */
export function LoadingScreen({ text }: { text: string }) {
  return (
    <div className="loading" role="status">
      {text}
    </div>
  )
}
