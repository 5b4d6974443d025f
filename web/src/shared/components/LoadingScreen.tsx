// LoadingScreen fills the window while there is no page yet. index.html holds the same element and its look, so that
// a visitor sees it before the first script has come.
export function LoadingScreen({ text }: { text: string }) {
  return (
    <div className="loading" role="status">
      {text}
    </div>
  )
}
