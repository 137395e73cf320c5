// The least that a page of React can be: one button that answers. The measure of shell_load.py.
import { useState } from "react";
import { createRoot } from "react-dom/client";

function EmptyPage() {
  const [open, setOpen] = useState(false);
  return (
    <button type="button" aria-label="User menu" aria-expanded={open} onClick={() => setOpen(true)}>
      Menu
    </button>
  );
}

const root = document.getElementById("root");
if (root) createRoot(root).render(<EmptyPage />);
